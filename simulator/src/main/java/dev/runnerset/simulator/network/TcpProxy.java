package dev.runnerset.simulator.network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Carries the bytes of TCP connections to one port of 127.0.0.1, and can carry them badly: late,
 * not at all, or until a reset. It knows nothing of what the bytes mean. Two virtual threads a
 * connection. Thread-safe.
 */
public final class TcpProxy implements AutoCloseable {
  private static final int BACKLOG = 1_024;
  private static final int CHUNK = 16 * 1024;
  private static final Duration BIND_PATIENCE = Duration.ofSeconds(10);

  private final int target;
  private final int port;
  private final Set<Connection> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong carried = new AtomicLong();
  private volatile Duration latency = Duration.ZERO;
  private @Nullable ServerSocket listening; // guarded by this
  private Thread accepting; // guarded by this

  private TcpProxy(int target) {
    this.target = target;
    var socket = listen(0);
    listening = socket;
    port = socket.getLocalPort();
    accepting = accept(socket);
  }

  /** A proxy on a free port before that one. */
  public static TcpProxy before(int port) {
    return new TcpProxy(port);
  }

  /** Where it listens at 127.0.0.1. */
  public int port() {
    return port;
  }

  /** How many bytes came through, both ways together. */
  public long carried() {
    return carried.get();
  }

  /** Each piece of data arrives so much later, either way. */
  public void latency(Duration value) {
    latency = value;
  }

  /** All connections end with a reset; new ones are as good as before. */
  public void resetAll() {
    open.forEach(Connection::reset);
  }

  /**
   * All connections are half-open from now on: nothing arrives on them any more, and neither side
   * learns of it; new ones are as good as before. So it is after a firewall has forgotten them.
   *
   * @return how many there were
   */
  public int freezeAll() {
    var now = List.copyOf(open);
    now.forEach(Connection::freeze);
    return now.size();
  }

  /** All connections end, and new ones are refused, until {@link #acceptAgain}. */
  public synchronized void refuse() {
    var socket = listening;
    listening = null;
    if (socket != null) {
      closeQuietly(socket);
      awaitEnd(accepting); // until then the kernel may take one connection more
    }
    resetAll();
  }

  /** Listens at its port again. */
  public synchronized void acceptAgain() {
    if (listening == null) {
      var socket = listen(port);
      listening = socket;
      accepting = accept(socket);
    }
  }

  /** A port that was given up may be in use for a moment as the near end of a connection. */
  private static ServerSocket listen(int port) {
    long until = System.nanoTime() + BIND_PATIENCE.toNanos();
    while (true) {
      try {
        return new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
      } catch (IOException e) {
        if (System.nanoTime() - until >= 0) {
          throw new UncheckedIOException("the proxy cannot listen on port " + port, e);
        }
        pause(Duration.ofMillis(100));
      }
    }
  }

  private Thread accept(ServerSocket socket) {
    return Thread.ofPlatform()
        .daemon()
        .name("proxy-accept")
        .start(() -> {
          while (!socket.isClosed()) {
            try {
              var client = socket.accept();
              Thread.ofVirtual().start(() -> connect(client, socket));
            } catch (IOException e) {
              // closed, or a client that was gone before it was accepted
            }
          }
        });
  }

  private void connect(Socket client, ServerSocket from) {
    var server = new Socket();
    try {
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
    } catch (IOException e) {
      reset(client); // as a load balancer says that nobody is behind it
      closeQuietly(server);
      return;
    }
    var connection = new Connection(client, server);
    open.add(connection);
    if (from.isClosed()) {
      connection.reset();
    }
    connection.carry();
  }

  /** One connection of a client, and the one to the server that is made for it. */
  private final class Connection {
    private final Socket client;
    private final Socket server;
    private volatile boolean frozen;

    Connection(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void freeze() {
      frozen = true;
    }

    void reset() {
      TcpProxy.reset(client);
      TcpProxy.reset(server);
      open.remove(this);
    }

    void carry() {
      Thread.ofVirtual().start(() -> carry(client, server));
      Thread.ofVirtual().start(() -> carry(server, client));
    }

    private void carry(Socket from, Socket to) {
      var chunk = new byte[CHUNK];
      try {
        var in = from.getInputStream();
        var out = to.getOutputStream();
        int n = in.read(chunk);
        while (n >= 0) {
          pause(latency);
          if (!frozen) {
            carried.addAndGet(n); // before the other side can see the bytes, and ask for the count
            out.write(chunk, 0, n);
            out.flush();
          }
          n = in.read(chunk);
        }
        if (!frozen) {
          to.shutdownOutput();
          endedOneWay();
        } else {
          closeQuietly(from); // its other side never learns of it
          forget();
        }
      } catch (IOException e) {
        if (frozen) {
          closeQuietly(from);
          forget();
        } else {
          reset();
        }
      }
    }

    private synchronized void endedOneWay() {
      if (client.isOutputShutdown() && server.isOutputShutdown()) {
        closeQuietly(client);
        closeQuietly(server);
        open.remove(this);
      }
    }

    private synchronized void forget() {
      if (client.isClosed() && server.isClosed()) {
        open.remove(this);
      }
    }
  }

  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
    } catch (IOException e) {
      // closed already
    }
    closeQuietly(socket);
  }

  private static void awaitEnd(Thread thread) {
    try {
      thread.join(BIND_PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void pause(Duration time) {
    if (!time.isZero()) {
      try {
        Thread.sleep(time);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void closeQuietly(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception e) {
      // nothing is lost: the other side sees the end either way
    }
  }

  @Override
  public void close() {
    refuse();
  }
}

package dev.runnerset.cli.ui;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A relay between a client and a server that can be away. */
final class Relay implements AutoCloseable {
  private static final int TRIES = 100;

  private final int target;
  private final int port;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private ServerSocket listening;

  /** Passes on to that port of this machine. */
  Relay(int target) throws IOException {
    this.target = target;
    listening = listen(0);
    port = listening.getLocalPort();
  }

  int port() {
    return port;
  }

  /** From now on nobody answers, and what is open is closed. */
  void stop() throws IOException {
    listening.close();
    for (var socket : open) {
      socket.close();
    }
    open.clear();
  }

  /** Is there again, at the same port, which somebody may hold for a moment. */
  void start() throws IOException, InterruptedException {
    for (int tries = 0; listening.isClosed(); tries++) {
      try {
        listening = listen(port);
      } catch (BindException e) {
        if (tries == TRIES) {
          throw e;
        }
        Thread.sleep(100);
      }
    }
  }

  private ServerSocket listen(int at) throws IOException {
    var server = new ServerSocket(at, 50, InetAddress.getByName("127.0.0.1"));
    Thread.ofVirtual().start(() -> accept(server));
    return server;
  }

  private void accept(ServerSocket server) {
    try {
      while (true) {
        var client = server.accept();
        var behind = new Socket(InetAddress.getByName("127.0.0.1"), target);
        open.add(client);
        open.add(behind);
        Thread.ofVirtual().start(() -> copy(client, behind));
        Thread.ofVirtual().start(() -> copy(behind, client));
      }
    } catch (IOException e) {
      // it is away
    }
  }

  private static void copy(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // one side has gone
    }
  }

  @Override
  public void close() throws IOException {
    stop();
  }
}

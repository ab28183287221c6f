package dev.runnerset.deployment.node;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Carries connections to one port of a pod's 127.0.0.1 to the same port of this machine. */
final class Door implements AutoCloseable {
  private final ServerSocketChannel inside;
  private final int port;
  private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
  private final ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor();

  /**
   * Carries from now on.
   *
   * @param inside listens in the pod's network
   */
  Door(ServerSocketChannel inside, int port) {
    this.inside = inside;
    this.port = port;
    virtual.execute(this::accept);
  }

  private void accept() {
    try {
      while (true) {
        var guest = inside.accept();
        virtual.execute(() -> carry(guest));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void carry(SocketChannel guest) {
    open.add(guest);
    try (guest;
        var host =
            SocketChannel.open(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port))) {
      open.add(host);
      var back = virtual.submit(() -> copy(host, guest));
      copy(guest, host);
      var _ = back.get();
      open.remove(host);
    } catch (Exception e) {
      // the other side sees that the connection has ended
    } finally {
      open.remove(guest);
    }
  }

  private static void copy(SocketChannel from, SocketChannel to) {
    try {
      var _ = from.socket().getInputStream().transferTo(to.socket().getOutputStream());
      to.shutdownOutput();
    } catch (IOException e) {
      close(from);
      close(to);
    }
  }

  private static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // it is closed
    }
  }

  @Override
  public void close() throws IOException {
    inside.close();
    open.forEach(Door::close);
    virtual.shutdownNow();
  }
}

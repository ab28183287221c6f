package dev.runnerset.deployment.node;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A pod's network: a loopback interface with 127.0.0.1 and the pod's address, and doors to some
 * ports of this machine. It is that of one thread, and of the processes that this thread starts.
 */
final class PodSandbox implements AutoCloseable {
  private final InetAddress address;
  private final ExecutorService thread;
  private final List<Door> doors = new ArrayList<>();

  private PodSandbox(String name, InetAddress address) {
    this.address = address;
    thread =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("pod-" + name).factory());
  }

  /**
   * Makes the network.
   *
   * @param doors ports of 127.0.0.1 that lead to the same ports of this machine
   */
  static PodSandbox open(String name, InetAddress address, List<Integer> doors)
      throws IOException, InterruptedException {
    var sandbox = new PodSandbox(name, address);
    try {
      var _ =
          sandbox.inside(() -> {
            LinuxNetwork.leaveFor(address.getAddress());
            return true;
          });
      for (int port : doors) {
        var listening =
            sandbox.inside(() ->
                ServerSocketChannel.open(StandardProtocolFamily.INET)
                    .bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port)));
        sandbox.doors.add(new Door(listening, port));
      }
      return sandbox;
    } catch (IOException | InterruptedException e) {
      sandbox.close();
      throw e;
    }
  }

  /** Does something on the pod's thread, and so in its network. */
  <T> T inside(Callable<T> work) throws IOException, InterruptedException {
    try {
      return thread.submit(work).get();
    } catch (ExecutionException e) {
      throw new IOException("in the pod's network: " + e.getCause(), e.getCause());
    }
  }

  /**
   * Gets a page from the pod, as a probe does.
   *
   * @return the status
   * @throws IOException if there is none in this time
   */
  int get(int port, String path, Duration atMost) throws IOException, InterruptedException {
    int millis = Math.toIntExact(atMost.toMillis());
    try (var channel = inside(() -> SocketChannel.open(StandardProtocolFamily.INET))) {
      var socket = channel.socket();
      socket.connect(new InetSocketAddress(address, port), millis);
      socket.setSoTimeout(millis);
      var request =
          "GET %s HTTP/1.1\r\nHost: %s:%d\r\nUser-Agent: kube-probe\r\nConnection: close\r\n\r\n"
              .formatted(path, address.getHostAddress(), port);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      var line = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
      if (!line.matches("HTTP/1\\.[01] \\d\\d\\d")) {
        throw new IOException("no HTTP answer");
      }
      return Integer.parseInt(line.substring(9));
    }
  }

  @Override
  public void close() throws IOException {
    for (var door : doors) {
      door.close();
    }
    thread.shutdown();
    try {
      if (!thread.awaitTermination(5, TimeUnit.SECONDS)) {
        throw new IOException("the thread of the pod does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

package dev.runnerset.testcluster;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/** Ports at which nobody listens. */
public final class FreePort {
  /** Below the ports that Linux gives by itself: no socket that binds to port 0 takes one. */
  private static final int FIRST = 20_000;

  private static final int COUNT = 12_000;

  /** Processes begin at different places, so that they seldom try the same port. */
  private static final AtomicInteger TRIED =
      new AtomicInteger((int) (ProcessHandle.current().pid() * 997 % COUNT));

  private FreePort() {}

  /**
   * A port of the loopback address that was free a moment ago. A process gets each port once, until
   * it has tried all of them; another process may still be faster.
   *
   * @throws BindException if all are taken
   */
  public static int find() throws IOException {
    for (int i = 0; i < COUNT; i++) {
      int port = FIRST + Math.floorMod(TRIED.getAndIncrement(), COUNT);
      try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return port;
      } catch (BindException e) {
        // somebody listens at it
      }
    }
    throw new BindException("no port of the loopback address is free");
  }
}

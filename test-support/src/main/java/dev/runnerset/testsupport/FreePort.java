package dev.runnerset.testsupport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** A port at which nobody listens. */
public final class FreePort {
  private FreePort() {}

  /** A port of the loopback address that was free a moment ago; somebody may still be faster. */
  public static int find() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}

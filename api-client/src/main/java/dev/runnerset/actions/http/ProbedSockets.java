package dev.runnerset.actions.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.time.Duration;
import javax.net.SocketFactory;
import jdk.net.ExtendedSocketOptions;

/**
 * Makes sockets that connect to allowed addresses only (CN6), and on which the kernel asks whether
 * the other end is still there. A poll waits for 50 s without a word, and a firewall or a node that
 * fails may forget its connection meanwhile: the kernel then ends the connection after {@link
 * #SILENT_FOR}. Where a system lacks these options, sockets are as usual. What comes in may be
 * bounded ({@link ReceivedBytes}).
 */
final class ProbedSockets extends SocketFactory {
  private static final int IDLE_SECONDS = 10;
  private static final int BETWEEN_SECONDS = 5;
  private static final int PROBES = 3;

  /** A connection whose other end says nothing for so long is ended. */
  static final Duration SILENT_FOR =
      Duration.ofSeconds(IDLE_SECONDS + PROBES * (long) BETWEEN_SECONDS);

  private final Route route;
  private final boolean bounded;

  /**
   * Sockets for one way through the network.
   *
   * @param bounded whether what comes in is bounded: on HTTP/1.1, where the thread of a call reads
   *     it
   */
  ProbedSockets(Route route, boolean bounded) {
    this.route = route;
    this.bounded = bounded;
  }

  /** A socket that connects to no address of a host that may not be asked. */
  private static final class CheckedSocket extends Socket {
    private final Route route;
    private final boolean bounded;

    CheckedSocket(Route route, boolean bounded) {
      this.route = route;
      this.bounded = bounded;
    }

    @Override
    public InputStream getInputStream() throws IOException {
      var in = super.getInputStream();
      return bounded ? new ReceivedBytes(in) : in;
    }

    @Override
    public void connect(SocketAddress endpoint, int timeout) throws IOException {
      if (!(endpoint instanceof InetSocketAddress address)) {
        throw new IllegalArgumentException("an address of another kind: " + endpoint);
      }
      HostRules.checkAddress(route, address);
      super.connect(endpoint, timeout);
    }
  }

  private static void set(Socket socket, SocketOption<Integer> option, int value)
      throws IOException {
    if (socket.supportedOptions().contains(option)) {
      socket.setOption(option, value);
    }
  }

  @Override
  public Socket createSocket() throws IOException {
    var socket = new CheckedSocket(route, bounded);
    socket.setKeepAlive(true);
    set(socket, ExtendedSocketOptions.TCP_KEEPIDLE, IDLE_SECONDS);
    set(socket, ExtendedSocketOptions.TCP_KEEPINTERVAL, BETWEEN_SECONDS);
    set(socket, ExtendedSocketOptions.TCP_KEEPCOUNT, PROBES);
    return socket;
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw alreadyConnected();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
    throw alreadyConnected();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    throw alreadyConnected();
  }

  @Override
  public Socket createSocket(
      InetAddress address, int port, InetAddress localAddress, int localPort) {
    throw alreadyConnected();
  }

  /** OkHttp asks for sockets without an address, and connects them by itself. */
  private static UnsupportedOperationException alreadyConnected() {
    return new UnsupportedOperationException("a socket that is connected already");
  }
}

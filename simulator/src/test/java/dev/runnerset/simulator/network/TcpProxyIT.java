package dev.runnerset.simulator.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the proxy does to connections to a server that sends back what it gets. */
final class TcpProxyIT {
  private static final int SOON = 5_000;
  private ServerSocket server;
  private TcpProxy proxy;

  @BeforeEach
  void start() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual()
        .start(() -> {
          while (!server.isClosed()) {
            try {
              var socket = server.accept();
              Thread.ofVirtual().start(() -> echo(socket));
            } catch (IOException e) {
              // closed
            }
          }
        });
    proxy = TcpProxy.before(server.getLocalPort());
  }

  @AfterEach
  void stop() throws IOException {
    proxy.close();
    server.close();
  }

  @Test
  void carriesBytesBothWays() throws IOException {
    try (var socket = connect()) {
      assertThat(echoed(socket, 'a')).isEqualTo('a');
      assertThat(proxy.carried()).isEqualTo(2);
    }
  }

  @Test
  void tellsBothSidesOfAnEnd() throws IOException {
    try (var socket = connect()) {
      assertThat(echoed(socket, 'a')).isEqualTo('a');
      socket.shutdownOutput();
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void carriesLater() throws IOException {
    try (var socket = connect()) {
      proxy.latency(Duration.ofMillis(200));
      long begin = System.nanoTime();
      assertThat(echoed(socket, 'a')).isEqualTo('a');
      assertThat(Duration.ofNanos(System.nanoTime() - begin))
          .isGreaterThanOrEqualTo(Duration.ofMillis(400));
    }
  }

  @Test
  void resetsWhatIsOpenAndNotWhatComes() throws IOException {
    try (var socket = connect()) {
      assertThat(echoed(socket, 'a')).isEqualTo('a');
      proxy.resetAll();
      assertThatThrownBy(() -> echoed(socket, 'b')).isInstanceOf(SocketException.class);
    }
    try (var socket = connect()) {
      assertThat(echoed(socket, 'c')).isEqualTo('c');
    }
  }

  @Test
  void aHalfOpenConnectionIsSilentAndANewOneIsNot() throws IOException {
    try (var socket = connect()) {
      assertThat(echoed(socket, 'a')).isEqualTo('a');
      assertThat(proxy.freezeAll()).isEqualTo(1);
      socket.setSoTimeout(300);
      assertThatThrownBy(() -> echoed(socket, 'b')).isInstanceOf(SocketTimeoutException.class);
      assertThatThrownBy(() -> echoed(socket, 'c')).isInstanceOf(SocketTimeoutException.class);
    }
    try (var socket = connect()) {
      assertThat(echoed(socket, 'd')).isEqualTo('d');
    }
  }

  @Test
  void refusesUntilItAcceptsAgain() throws IOException {
    try (var socket = connect()) {
      assertThat(echoed(socket, 'a')).isEqualTo('a');
      proxy.refuse();
      assertThatThrownBy(() -> echoed(socket, 'b')).isInstanceOf(SocketException.class);
    }
    assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
    proxy.acceptAgain();
    try (var socket = connect()) {
      assertThat(echoed(socket, 'c')).isEqualTo('c');
    }
  }

  private Socket connect() throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    socket.setSoTimeout(SOON);
    return socket;
  }

  private static int echoed(Socket socket, int letter) throws IOException {
    socket.getOutputStream().write(letter);
    return socket.getInputStream().read();
  }

  private static void echo(Socket socket) {
    try (socket) {
      socket.getInputStream().transferTo(socket.getOutputStream());
    } catch (IOException e) {
      // the client is gone
    }
  }
}

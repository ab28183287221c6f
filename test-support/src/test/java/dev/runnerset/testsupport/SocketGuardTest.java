package dev.runnerset.testsupport;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SocketGuardTest {
  /** Else the guard reports this class, too. */
  @AfterEach
  void forgetWhatWasRefusedHere() {
    SocketGuard.forget();
  }

  @Test
  void aTestOpensNoSocket() {
    refuses(() -> new Socket("localhost", 1).close());
    refuses(() -> new ServerSocket(0).close());
    refuses(() -> SocketChannel.open(new InetSocketAddress("localhost", 1)).close());
    refuses(() -> ServerSocketChannel.open().close());
  }

  @Test
  void aSelectorAloneIsNoSocket() {
    assertThatCode(() -> Selector.open().close()).doesNotThrowAnyException();
  }

  private static void refuses(ThrowingCallable socket) {
    assertThatThrownBy(socket)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("only a test class named *IT may open sockets")
        .isNotInstanceOf(IOException.class);
  }
}

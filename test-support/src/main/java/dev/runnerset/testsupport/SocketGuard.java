package dev.runnerset.testsupport;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketImpl;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class that opens a socket, unless the name of the class ends with {@code IT}. Such
 * classes run in {@code mvn verify} only, so {@code mvn test} stays fast and needs no network.
 *
 * <p>JUnit finds this extension through {@code META-INF/services}. Surefire switches it on; an IDE
 * and Failsafe run the tests without it. The guard replaces the factories of the JVM for sockets,
 * so code that swallows the error of a refused socket is reported at the end of its class all the
 * same.
 */
public final class SocketGuard implements BeforeAllCallback, AfterAllCallback {
  private static final Set<String> OPENED = ConcurrentHashMap.newKeySet();
  private static volatile boolean allowed;

  static {
    install();
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    allowed = outermost(context).getSimpleName().endsWith("IT");
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (context.getRequiredTestClass() != outermost(context)) {
      return;
    }
    var opened = Set.copyOf(OPENED);
    OPENED.clear();
    if (!opened.isEmpty()) {
      throw new AssertionError(
          outermost(context).getSimpleName()
              + " opens sockets; only a test class named *IT may: "
              + opened);
    }
  }

  /** Returns if the running test class may open sockets, and throws if it may not. */
  static void check(String what) {
    if (!allowed) {
      var message = what + " on thread " + Thread.currentThread().getName();
      OPENED.add(message);
      throw new AssertionError("only a test class named *IT may open sockets: " + message);
    }
  }

  static void forget() {
    OPENED.clear();
  }

  private static Class<?> outermost(ExtensionContext context) {
    Class<?> type = context.getRequiredTestClass();
    while (type.getEnclosingClass() != null) {
      type = type.getEnclosingClass();
    }
    return type;
  }

  @SuppressWarnings("deprecation") // the only way to see the sockets of others
  private static void install() {
    System.setProperty(SelectorProvider.class.getName(), GuardedChannels.class.getName());
    if (!(SelectorProvider.provider() instanceof GuardedChannels)) {
      throw new IllegalStateException("a channel was opened before the guard was installed");
    }
    try {
      Socket.setSocketImplFactory(() -> guarded("Socket", false));
      ServerSocket.setSocketFactory(() -> guarded("ServerSocket", true));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static SocketImpl guarded(String what, boolean server) {
    check(what);
    return JdkSockets.socketImpl(server);
  }
}

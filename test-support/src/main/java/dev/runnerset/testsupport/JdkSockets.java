package dev.runnerset.testsupport;

import java.net.SocketImpl;
import java.nio.channels.spi.SelectorProvider;

/**
 * The JDK's own sockets, which {@link SocketGuard} hands out where sockets are allowed. The JVM
 * must run with {@code --add-exports java.base/sun.nio.ch=ALL-UNNAMED}.
 */
final class JdkSockets {
  private JdkSockets() {}

  static SelectorProvider selectorProvider() {
    try {
      var provider = Class.forName("sun.nio.ch.DefaultSelectorProvider").getMethod("get");
      return (SelectorProvider) provider.invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  static SocketImpl socketImpl(boolean server) {
    try {
      var constructor = Class.forName("sun.nio.ch.NioSocketImpl").getConstructor(boolean.class);
      return (SocketImpl) constructor.newInstance(server);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}

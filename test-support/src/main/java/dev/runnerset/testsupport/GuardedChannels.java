package dev.runnerset.testsupport;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;

/** The JDK's channels; {@link SocketGuard} is asked before a socket is opened. */
public final class GuardedChannels extends SelectorProvider {
  private final SelectorProvider jdk = JdkSockets.selectorProvider();

  @Override
  public SocketChannel openSocketChannel() throws IOException {
    SocketGuard.check("SocketChannel");
    return jdk.openSocketChannel();
  }

  @Override
  public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
    SocketGuard.check("SocketChannel");
    return jdk.openSocketChannel(family);
  }

  @Override
  public ServerSocketChannel openServerSocketChannel() throws IOException {
    SocketGuard.check("ServerSocketChannel");
    return jdk.openServerSocketChannel();
  }

  @Override
  public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
    SocketGuard.check("ServerSocketChannel");
    return jdk.openServerSocketChannel(family);
  }

  @Override
  public DatagramChannel openDatagramChannel() throws IOException {
    SocketGuard.check("DatagramChannel");
    return jdk.openDatagramChannel();
  }

  @Override
  public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
    SocketGuard.check("DatagramChannel");
    return jdk.openDatagramChannel(family);
  }

  @Override
  public Pipe openPipe() throws IOException {
    return jdk.openPipe();
  }

  @Override
  public AbstractSelector openSelector() throws IOException {
    return jdk.openSelector();
  }
}

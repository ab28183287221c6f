package dev.runnerset.simulator.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/1.1 server on 127.0.0.1. It exists because the JDK's own never tells that a client has
 * hung up while its request is parked, which a long poll must know (protocol 7.4), and cannot reset
 * a connection. Two virtual threads a connection: one reads, one answers.
 */
final class HttpPort implements AutoCloseable {
  private static final int BACKLOG = 4_096;
  private final ServerSocket socket;
  private final Function<Request, Reply> answer;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  private HttpPort(ServerSocket socket, Function<Request, Reply> answer) {
    this.socket = socket;
    this.answer = answer;
  }

  /** Starts to listen; {@code answer} runs on a virtual thread per request and may block. */
  static HttpPort open(int port, @Nullable SSLContext tls, Function<Request, Reply> answer) {
    try {
      var address = InetAddress.getLoopbackAddress();
      var socket =
          tls == null
              ? new ServerSocket(port, BACKLOG, address)
              : tls.getServerSocketFactory().createServerSocket(port, BACKLOG, address);
      var server = new HttpPort(socket, answer);
      Thread.ofPlatform().daemon().name("service-accept").start(server::accept);
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot listen on port " + port + ": " + e.getMessage(), e);
    }
  }

  int port() {
    return socket.getLocalPort();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        var client = socket.accept();
        client.setTcpNoDelay(true);
        open.add(client);
        Thread.ofVirtual().name("service-connection").start(() -> serve(client));
      } catch (IOException e) {
        // Closed, or a client that was gone before it was accepted: neither concerns the others.
      }
    }
  }

  private void serve(Socket client) {
    try (client) {
      new HttpConnection(client.getInputStream(), client.getOutputStream(), answer).run();
    } catch (IOException e) {
      // The client went away; its parked request knows it.
    } finally {
      open.remove(client);
    }
  }

  @Override
  public void close() {
    closeQuietly(socket);
    open.forEach(HttpPort::closeQuietly);
  }

  private static void closeQuietly(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception e) {
      // Nothing is lost: the other side sees the end either way.
    }
  }
}

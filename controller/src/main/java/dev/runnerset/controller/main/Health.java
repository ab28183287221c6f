package dev.runnerset.controller.main;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/** Answers a kubelet's probes: {@code /healthz} and {@code /readyz}. */
final class Health implements AutoCloseable {
  private final HttpServer server;

  private Health(HttpServer server) {
    this.server = server;
  }

  static Health start(int port, BooleanSupplier healthy) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(port), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/healthz", exchange -> answer(exchange, healthy.getAsBoolean()));
    server.createContext("/readyz", exchange -> answer(exchange, healthy.getAsBoolean()));
    server.start();
    return new Health(server);
  }

  private static void answer(HttpExchange exchange, boolean well) throws IOException {
    try (exchange) {
      var body = (well ? "ok\n" : "a cache does not follow the server\n");
      var bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(well ? 200 : 503, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

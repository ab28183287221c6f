package dev.runnerset.controller.main;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Serves {@code /healthz} and {@code /readyz} for probes, {@code /metrics} and {@code /configz}.
 */
final class Health implements AutoCloseable {
  private final HttpServer server;

  private Health(HttpServer server) {
    this.server = server;
  }

  static Health start(
      int port, BooleanSupplier healthy, Supplier<String> metrics, Supplier<String> settings)
      throws IOException {
    var server = HttpServer.create(new InetSocketAddress(port), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/healthz", exchange -> probe(exchange, healthy.getAsBoolean()));
    server.createContext("/readyz", exchange -> probe(exchange, healthy.getAsBoolean()));
    server.createContext("/metrics", exchange -> metrics(exchange, metrics.get()));
    server.createContext("/configz", exchange -> settings(exchange, settings.get()));
    server.start();
    return new Health(server);
  }

  private static void probe(HttpExchange exchange, boolean well) throws IOException {
    answer(exchange, well ? 200 : 503, well ? "ok\n" : "a cache does not follow the server\n");
  }

  private static void metrics(HttpExchange exchange, String series) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    answer(exchange, 200, series);
  }

  private static void settings(HttpExchange exchange, String json) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    answer(exchange, 200, json);
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    try (exchange) {
      var bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

package dev.runnerset.base;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Serves {@code /healthz} and {@code /readyz} for probes, and pages such as {@code /metrics}. */
public final class HealthServer implements AutoCloseable {
  private final HttpServer server;

  private HealthServer(HttpServer server) {
    this.server = server;
  }

  /**
   * A page.
   *
   * @param body computed at each request, on a thread of its own
   */
  public record Page(String contentType, Supplier<String> body) {
    /** Series in the text format of Prometheus. */
    public static Page metrics(Supplier<String> series) {
      return new Page("text/plain; version=0.0.4; charset=utf-8", series);
    }

    /** A JSON document. */
    public static Page json(Supplier<String> document) {
      return new Page("application/json", document);
    }
  }

  /**
   * Whether the process works. A probe that is not met is answered with 503.
   *
   * @param healthy false if only a restart helps
   * @param ready whether it does its work, or would if it led
   */
  public record Probes(BooleanSupplier healthy, BooleanSupplier ready) {}

  /**
   * Serves from now on, on every address of this machine.
   *
   * @param port 0 for a free one
   * @param pages by path
   * @throws IOException if the port is taken
   */
  public static HealthServer start(int port, Probes probes, Map<String, Page> pages)
      throws IOException {
    var server = HttpServer.create(new InetSocketAddress(port), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/healthz", exchange -> probe(exchange, probes.healthy().getAsBoolean()));
    server.createContext("/readyz", exchange -> probe(exchange, probes.ready().getAsBoolean()));
    pages.forEach((path, page) ->
        server.createContext(
            path, exchange -> answer(exchange, 200, page.contentType(), page.body().get())));
    server.start();
    return new HealthServer(server);
  }

  /** The port it serves at. */
  public int port() {
    return server.getAddress().getPort();
  }

  private static void probe(HttpExchange exchange, boolean well) throws IOException {
    answer(exchange, well ? 200 : 503, "text/plain", well ? "ok\n" : "not yet\n");
  }

  private static void answer(HttpExchange exchange, int status, String type, String body)
      throws IOException {
    try (exchange) {
      var bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  /** Ends at once. */
  @Override
  public void close() {
    server.stop(0);
  }
}

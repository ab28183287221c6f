package dev.runnerset.base;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
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
  public record Page(String contentType, Body body) {
    /** Series in the text format of Prometheus. */
    public static Page metrics(Body series) {
      return new Page("text/plain; version=0.0.4; charset=utf-8", series);
    }

    /** A JSON document. */
    public static Page json(Supplier<String> document) {
      return new Page("application/json", out -> out.write(document.get()));
    }
  }

  /** Writes a page bit by bit: the series of a thousand sets are megabytes. */
  @FunctionalInterface
  public interface Body {
    /** Writes the whole page; an exception ends the connection. */
    void writeTo(Writer out) throws IOException;
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
    pages.forEach(
        (path, page) -> server.createContext(path, exchange -> answer(exchange, 200, page)));
    server.start();
    return new HealthServer(server);
  }

  /** The port it serves at. */
  public int port() {
    return server.getAddress().getPort();
  }

  private static void probe(HttpExchange exchange, boolean well) throws IOException {
    var page = new Page("text/plain", out -> out.write(well ? "ok\n" : "not yet\n"));
    answer(exchange, well ? 200 : 503, page);
  }

  private static void answer(HttpExchange exchange, int status, Page page) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", page.contentType());
    exchange.sendResponseHeaders(status, 0); // of a length not known yet
    var body = new OutputStreamWriter(exchange.getResponseBody(), StandardCharsets.UTF_8);
    var out = new BufferedWriter(body);
    page.body().writeTo(out);
    out.close(); // only here: after a failure the server ends the connection, so half a page shows
  }

  /** Ends at once. */
  @Override
  public void close() {
    server.stop(0);
  }
}

package dev.runnerset.base;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;

/** Serves {@code /healthz} and {@code /readyz} for probes, and pages such as {@code /metrics}. */
public final class HealthServer implements AutoCloseable {
  private static final ExpositionFormats FORMATS = ExpositionFormats.init();
  private static final int BUFFER = 16 << 10;

  private final HttpServer server;

  private HealthServer(HttpServer server) {
    this.server = server;
  }

  /** A page, computed at each request, on a thread of its own. */
  @FunctionalInterface
  public interface Page {
    /**
     * The page in the format that the client prefers.
     *
     * @param accept the header {@code Accept}; empty if there is none
     */
    Content of(String accept);

    /** Series for Prometheus: as OpenMetrics if the client accepts it, else in its text format. */
    static Page metrics(Supplier<MetricSnapshots> series) {
      return accept -> {
        var writer = FORMATS.findWriter(accept);
        var now = series.get();
        return new Content(writer.getContentType(), out -> writer.write(out, now));
      };
    }

    /** A JSON document. */
    static Page json(Supplier<String> document) {
      return accept -> Content.text("application/json", document.get());
    }
  }

  /**
   * What is sent.
   *
   * @param body writes it bit by bit: the series of a thousand sets are megabytes
   */
  public record Content(String type, Body body) {
    private static Content text(String type, String text) {
      return new Content(type, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }
  }

  /** Writes a page. */
  @FunctionalInterface
  public interface Body {
    /** Writes the whole page; an exception ends the connection. */
    void writeTo(OutputStream out) throws IOException;
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
    var text = well ? "ok\n" : "not yet\n";
    answer(exchange, well ? 200 : 503, accept -> Content.text("text/plain", text));
  }

  private static void answer(HttpExchange exchange, int status, Page page) throws IOException {
    var content = page.of(header(exchange, "Accept"));
    exchange.getResponseHeaders().set("Content-Type", content.type());
    boolean zipped = header(exchange, "Accept-Encoding").contains("gzip");
    if (zipped) {
      exchange.getResponseHeaders().set("Content-Encoding", "gzip");
    }
    exchange.sendResponseHeaders(status, 0); // of a length not known yet
    var body = exchange.getResponseBody();
    var out = new BufferedOutputStream(zipped ? new GZIPOutputStream(body) : body, BUFFER);
    content.body().writeTo(out);
    out.close(); // only here: after a failure the server ends the connection, so half a page shows
  }

  private static String header(HttpExchange exchange, String name) {
    return Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst(name), "");
  }

  /** Ends at once. */
  @Override
  public void close() {
    server.stop(0);
  }
}

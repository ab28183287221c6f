package dev.runnerset.cli.ui;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.cluster.ClusterException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/** Serves the page on loopback. Each request has a virtual thread of its own. */
public final class UiServer implements AutoCloseable {
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src"
              + " 'self' data:; base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "Referrer-Policy",
          "no-referrer",
          "Cache-Control",
          "no-store",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Cross-Origin-Opener-Policy",
          "same-origin");

  /**
   * Leads to the page, so that a browser sends the cookie: a redirect would not do. It names an
   * empty icon, since a browser asks for /favicon.ico otherwise.
   */
  private static final String ENTERED =
      "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">"
          + "<link rel=\"icon\" href=\"data:,\">"
          + "<meta http-equiv=\"refresh\" content=\"0;url=/\"><title>runnerset</title>";

  private static final String JSON = "application/json";
  private static final int LONGEST_PRESS = 2_000;

  private final HttpServer http;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final PageFiles files = new PageFiles();
  private final Gate gate;
  private final Gate.Keys keys;
  private final FleetModel model;
  private final Stage stage;
  private final Answers answers;
  private final Streams streams;

  /** What the page knows of itself. */
  record Session(String forgery, List<Stage.Button> buttons) {}

  private record Message(String message) {}

  /**
   * Serves from now on.
   *
   * @param port 0 for a free one
   * @param isActing whether the page may change something
   * @throws IOException if the port is taken
   */
  public UiServer(
      int port, boolean isActing, Cluster cluster, FleetModel model, Stage stage, Clock clock)
      throws IOException {
    if (System.getProperty("sun.net.httpserver.nodelay") == null) {
      System.setProperty("sun.net.httpserver.nodelay", "true"); // else each event waits 40 ms
    }
    http = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), 64);
    keys = new Gate.Keys(random(), random(), random());
    gate = new Gate(http.getAddress().getPort(), keys, isActing);
    this.model = model;
    this.stage = stage;
    answers = new Answers(cluster);
    streams = new Streams(model, stage, clock);
    http.createContext("/", this::handle);
    http.setExecutor(threads);
    http.start();
  }

  /** The URL for the first visit, which works once. */
  public String entryUrl() {
    return gate.entryUrl();
  }

  /** Waits until a browser shows the page, or so long; whether one does. */
  boolean awaitVisitor(Duration atMost) throws InterruptedException {
    return streams.awaitFirst(atMost);
  }

  private static String random() {
    var bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private void handle(HttpExchange exchange) throws IOException {
    HEADERS.forEach(exchange.getResponseHeaders()::set);
    try (exchange) {
      switch (gate.check(request(exchange))) {
        case Gate.Answer.Refuse(var status, var sentence) ->
            send(exchange, status, "text/plain; charset=utf-8", sentence + "\n");
        case Gate.Answer.Enter(var cookie) -> {
          exchange.getResponseHeaders().set("Set-Cookie", cookie);
          send(exchange, 200, "text/html; charset=utf-8", ENTERED);
        }
        case Gate.Answer.Pass _ -> admitted(exchange);
      }
    }
  }

  private static Gate.Request request(HttpExchange exchange) {
    return new Gate.Request(
        exchange.getRequestMethod(),
        exchange.getRequestURI().getPath(),
        header(exchange, "Host"),
        header(exchange, "Origin"),
        String.join(";", exchange.getRequestHeaders().getOrDefault("Cookie", List.of())),
        header(exchange, "Sec-Fetch-Site"),
        header(exchange, Gate.FORGERY_HEADER));
  }

  private static String header(HttpExchange exchange, String name) {
    return Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst(name), "");
  }

  private void admitted(HttpExchange exchange) throws IOException {
    var path = exchange.getRequestURI().getPath();
    var file = files.at(path);
    if (file.isPresent()) {
      send(exchange, 200, file.get().type(), file.get().content());
      return;
    }
    var query = query(exchange.getRequestURI().getRawQuery());
    if (path.equals("/events")) {
      streams.serve(exchange, query.getOrDefault("set", ""));
      return;
    }
    try {
      if (exchange.getRequestMethod().equals("POST")) {
        press(exchange, path);
      } else {
        read(exchange, path, query);
      }
    } catch (IllegalArgumentException e) {
      send(exchange, 400, JSON, json(new Message(String.valueOf(e.getMessage()))));
    } catch (ClusterException e) {
      send(exchange, 502, JSON, json(new Message(e.getMessage())));
    }
  }

  private void read(HttpExchange exchange, String path, Map<String, String> query)
      throws IOException {
    var namespace = query.getOrDefault("namespace", "");
    var name = query.getOrDefault("name", "");
    Object found =
        switch (path) {
          case "/api/session" -> new Session(keys.forgery(), stage.buttons());
          case "/api/set" -> model.detail(namespace, name).orElse(null);
          case "/api/set-events" -> answers.events("AutoScalingRunnerSet", namespace, name);
          case "/api/runner-events" -> answers.events("EphemeralRunner", namespace, name);
          case "/api/evidence" ->
              answers.evidence(namespace, name).<Object>map(each -> each).orElse(Map.of());
          case "/api/log" -> answers.log(namespace, name);
          default -> null;
        };
    if (found == null) {
      send(exchange, 404, JSON, json(new Message("There is no such thing any more.")));
    } else {
      send(exchange, 200, JSON, json(found));
    }
  }

  private void press(HttpExchange exchange, String path) throws IOException {
    if (!path.equals("/api/press")) {
      throw new IllegalArgumentException("Nothing can be changed at " + path + ".");
    }
    var body = exchange.getRequestBody().readNBytes(LONGEST_PRESS);
    var form = query(new String(body, StandardCharsets.UTF_8));
    var done =
        stage.press(
            form.getOrDefault("button", ""),
            form.getOrDefault("namespace", ""),
            form.getOrDefault("name", ""));
    send(exchange, 200, JSON, json(new Message(done)));
  }

  private static Map<String, String> query(String text) {
    return text == null || text.isEmpty()
        ? Map.of()
        : Arrays.stream(text.split("&"))
            .map(each -> each.split("=", 2))
            .filter(pair -> pair.length == 2)
            .collect(Collectors.toMap(pair -> decoded(pair[0]), p -> decoded(p[1]), (a, b) -> a));
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private static String json(Object value) {
    return Serialization.asJson(value);
  }

  private static void send(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    send(exchange, status, type, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void send(HttpExchange exchange, int status, String type, byte[] content)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, content.length);
    exchange.getResponseBody().write(content);
  }

  /** Ends at once, with all streams. */
  @Override
  public void close() {
    model.close();
    http.stop(0);
    threads.shutdownNow();
  }
}

package dev.runnerset.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/**
 * Before an API server of a test: answers what that one does not know, as logs, and refuses what a
 * role does not allow, in the words of a real one. The first rule that matches counts.
 */
public final class FrontServer implements AutoCloseable {
  private record Answer(int code, String body) {}

  private final Map<Pattern, Answer> answers = new LinkedHashMap<>();
  private final HttpClient client = HttpClient.newHttpClient();
  private final HttpServer http;
  private final URI behind;

  /** Before the server at that URL. */
  public FrontServer(URI behind) {
    this.behind = behind;
    try {
      http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    http.createContext("/", this::answer);
    http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    http.start();
  }

  /** Requests whose {@code METHOD path} matches get that body. */
  public FrontServer answer(String methodAndPath, String body) {
    answers.put(Pattern.compile(methodAndPath), new Answer(200, body));
    return this;
  }

  /** Requests whose {@code METHOD path} matches are refused for want of a role. */
  public FrontServer forbid(String methodAndPath, String verb, String resource, String namespace) {
    var where =
        namespace.isEmpty()
            ? "at the cluster scope"
            : "in the namespace \\\"%s\\\"".formatted(namespace);
    answers.put(
        Pattern.compile(methodAndPath),
        new Answer(
            403,
            """
            {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Forbidden", "code": 403,
             "message": "it is forbidden: User \\"jane\\" cannot %s resource \\"%s\\" in API group \\"\\" %s"}
            """
                .formatted(verb, resource, where)));
    return this;
  }

  /** A client's settings that lead here. */
  public Config config() {
    return new ConfigBuilder(Config.empty())
        .withMasterUrl("http://127.0.0.1:" + http.getAddress().getPort())
        .withNamespace("ci")
        .withRequestRetryBackoffLimit(0)
        .build();
  }

  private void answer(HttpExchange exchange) throws IOException {
    var request = exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
    var known =
        answers.entrySet().stream()
            .filter(rule -> rule.getKey().matcher(request).matches())
            .map(Map.Entry::getValue)
            .findFirst();
    if (known.isPresent()) {
      send(exchange, known.get().code(), known.get().body().getBytes(StandardCharsets.UTF_8));
      return;
    }
    var body = exchange.getRequestBody().readAllBytes();
    var sent =
        HttpRequest.newBuilder(behind.resolve(exchange.getRequestURI().toString()))
            .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
    var type = exchange.getRequestHeaders().getFirst("Content-Type");
    if (type != null) {
      sent.header("Content-Type", type);
    }
    try {
      var answer = client.send(sent.build(), HttpResponse.BodyHandlers.ofByteArray());
      send(exchange, answer.statusCode(), answer.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static void send(HttpExchange exchange, int code, byte[] body) throws IOException {
    try (exchange) {
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      exchange.sendResponseHeaders(code, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    http.stop(0);
    client.shutdownNow(); // close() would wait for the end of a watch, which is minutes away
  }
}

package dev.runnerset.e2e.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runnerset.testcluster.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** A Prometheus as a process, which scrapes ports of this machine each second. */
final class Prometheus implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process process;
  private final URI url;

  private Prometheus(Process process, URI url) {
    this.process = process;
    this.url = url;
  }

  /**
   * Starts it.
   *
   * @param ports each is a job of its own
   * @param folder for its data, its configuration and its log
   */
  static Prometheus start(Path program, List<Integer> ports, Path rules, Path folder)
      throws IOException {
    var jobs =
        ports.stream()
            .map(port ->
                "  - {job_name: p%1$d, honor_labels: true, static_configs: [{targets: ['127.0.0.1:%1$d']}]}\n"
                    .formatted(port))
            .collect(Collectors.joining());
    var config =
        Files.writeString(
            folder.resolve("prometheus.yml"),
            """
            global: {scrape_interval: 1s, evaluation_interval: 1s}
            rule_files: [%s]
            scrape_configs:
            %s\
            """
                .formatted(rules, jobs));
    var port = FreePort.find();
    var process =
        new ProcessBuilder(
                program.toString(),
                "--config.file=" + config,
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("prometheus.log").toFile())
            .start();
    return new Prometheus(process, URI.create("http://127.0.0.1:" + port));
  }

  /** Whether it answers. */
  boolean isReady() {
    try {
      return get("/-/ready").statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * The series that an expression has now.
   *
   * @throws AssertionError with Prometheus' words, if it refuses the expression
   */
  List<JsonNode> query(String expression) throws IOException {
    var answer = get("/api/v1/query?query=" + URLEncoder.encode(expression, UTF_8));
    var tree = JSON.readTree(answer.body());
    if (!tree.path("status").asText().equals("success")) {
      throw new AssertionError(expression + ": " + tree.path("error").asText());
    }
    return StreamSupport.stream(tree.at("/data/result").spliterator(), false).toList();
  }

  /** The alerts that fire now, as {@code RunnersetNotReady ns/name}. */
  Set<String> firing() throws IOException {
    return query("ALERTS{alertstate=\"firing\"}").stream()
        .map(series -> series.path("metric"))
        .map(labels ->
            "%s %s/%s"
                .formatted(
                    labels.path("alertname").asText(),
                    labels.path("namespace").asText(),
                    labels.path("name").asText()))
        .collect(Collectors.toSet());
  }

  private HttpResponse<String> get(String path) throws IOException {
    try {
      return http.send(
          HttpRequest.newBuilder(URI.create(url + path)).timeout(PATIENCE).build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    http.close();
    process.destroy();
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }
}

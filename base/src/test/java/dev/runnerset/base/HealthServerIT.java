package dev.runnerset.base;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.base.HealthServer.Content;
import dev.runnerset.base.HealthServer.Page;
import dev.runnerset.base.HealthServer.Probes;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HealthServerIT {
  private static String get(HealthServer server, String path)
      throws IOException, InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      var uri = URI.create("http://127.0.0.1:" + server.port() + path);
      var answer =
          http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() + " " + answer.body();
    }
  }

  @Test
  void probesAndPagesAreComputedAtEachRequest() throws Exception {
    var ready = new AtomicBoolean();
    try (var server =
        HealthServer.start(
            0,
            new Probes(() -> true, ready::get),
            Map.of(
                "/metrics",
                Page.metrics(HealthServerIT::one),
                "/configz",
                Page.json(() -> "{}")))) {
      assertThat(get(server, "/healthz")).isEqualTo("200 ok\n");
      assertThat(get(server, "/readyz")).isEqualTo("503 not yet\n");
      ready.set(true);
      assertThat(get(server, "/readyz")).isEqualTo("200 ok\n");
      assertThat(get(server, "/metrics")).isEqualTo("200 # TYPE a gauge\na 1.0\n");
      assertThat(get(server, "/configz")).isEqualTo("200 {}");
      assertThatThrownBy(
              () -> HealthServer.start(server.port(), new Probes(() -> true, () -> true), Map.of()))
          .isInstanceOf(IOException.class);
    }
  }

  private static MetricSnapshots one() {
    return MetricSnapshots.of(
        new GaugeSnapshot(
            new MetricMetadata("a"), List.of(new GaugeDataPointSnapshot(1, Labels.EMPTY, null))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "text/plain                               | text/plain; version=0.0.4; charset=utf-8",
        "application/openmetrics-text;version=1.0.0,text/plain;q=0.5"
            + " | application/openmetrics-text; version=1.0.0; charset=utf-8"
      })
  void metricsHaveTheFormatThatTheClientPrefersAndAreZippedIfItAcceptsThat(
      String accept, String type) throws Exception {
    var probes = new Probes(() -> true, () -> true);
    try (var server =
            HealthServer.start(0, probes, Map.of("/metrics", Page.metrics(HealthServerIT::one)));
        var http = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/metrics"))
              .header("Accept", accept)
              .header("Accept-Encoding", "gzip");
      var answer = http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      assertThat(answer.headers().firstValue("Content-Type")).contains(type);
      assertThat(answer.headers().firstValue("Content-Encoding")).contains("gzip");
      var text =
          new String(
              new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes(), UTF_8);
      assertThat(text).contains("# TYPE a gauge\na 1.0\n");
      assertThat(text.endsWith("# EOF\n")).isEqualTo(type.contains("openmetrics"));
    }
  }

  @Test
  void aPageThatFailsHalfWayIsNoPage() throws Exception {
    Page half =
        accept ->
            new Content(
                "text/plain",
                out -> {
                  out.write("a 1\n".getBytes(UTF_8));
                  out.flush();
                  throw new IllegalStateException("no more series");
                });
    var probes = new Probes(() -> true, () -> true);
    try (var server = HealthServer.start(0, probes, Map.of("/metrics", half))) {
      assertThatThrownBy(() -> get(server, "/metrics")).isInstanceOf(IOException.class);
    }
  }
}

package dev.runnerset.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.base.HealthServer.Page;
import dev.runnerset.base.HealthServer.Probes;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

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
                Page.metrics(out -> out.write("a 1\n")),
                "/configz",
                Page.json(() -> "{}")))) {
      assertThat(get(server, "/healthz")).isEqualTo("200 ok\n");
      assertThat(get(server, "/readyz")).isEqualTo("503 not yet\n");
      ready.set(true);
      assertThat(get(server, "/readyz")).isEqualTo("200 ok\n");
      assertThat(get(server, "/metrics")).isEqualTo("200 a 1\n");
      assertThat(get(server, "/configz")).isEqualTo("200 {}");
      assertThatThrownBy(
              () -> HealthServer.start(server.port(), new Probes(() -> true, () -> true), Map.of()))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void aPageThatFailsHalfWayIsNoPage() throws Exception {
    Page half =
        Page.metrics(out -> {
          out.write("a 1\n");
          out.flush();
          throw new IllegalStateException("no more series");
        });
    var probes = new Probes(() -> true, () -> true);
    try (var server = HealthServer.start(0, probes, Map.of("/metrics", half))) {
      assertThatThrownBy(() -> get(server, "/metrics")).isInstanceOf(IOException.class);
    }
  }
}

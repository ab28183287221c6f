package dev.runnerset.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The end of a log from a server that counts the bytes from the first of the last lines on. */
final class LogEndIT {
  private static String endOf(List<String> log) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          int wanted =
              Integer.parseInt(
                  exchange.getRequestURI().getQuery().replaceAll(".*tailLines=(\\d+).*", "$1"));
          var last = log.subList(Math.max(0, log.size() - wanted), log.size());
          var text = (String.join("\n", last) + "\n").getBytes(StandardCharsets.UTF_8);
          var answer = Arrays.copyOf(text, Math.min(text.length, KubeApi.LOG_BYTES));
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    var config =
        new ConfigBuilder()
            .withAutoConfigure(false)
            .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
            .build();
    try (var client = new KubernetesClientBuilder().withConfig(config).build()) {
      return new KubeApi(client).logEnd(Resource.of(Pod.class, "ns", "ci-1"), "runner");
    } finally {
      server.stop(0);
    }
  }

  private static String line(String name, int length) {
    return name + "ß".repeat(length / 2);
  }

  @Test
  void theEndIsThereWhereTheLinesAreShort() throws IOException {
    assertThat(endOf(List.of("one", "two"))).isEqualTo("one\ntwo\n");
  }

  @Test
  void theEndIsThereWhereTheLinesAreLong() throws IOException {
    var line = line("long", 2000);
    assertThat(endOf(List.of(line, line, line, line, line, line, line, line, line, "the end")))
        .isEqualTo(line + "\n" + line + "\n" + line + "\nthe end\n");
  }

  @Test
  void halfALineIsLeftOut() throws IOException {
    var line = line("long", 6000);
    assertThat(endOf(List.of("first", line, line, line, line)))
        .isEqualTo(line + "\n" + line + "\n");
    var huge = line("huge", 40_000);
    assertThat(endOf(List.of("first", huge, huge, huge, huge))).isEqualTo("first\n");
  }
}

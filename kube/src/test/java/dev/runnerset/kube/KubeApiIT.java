package dev.runnerset.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A create is one request, whatever the client library does with others. */
final class KubeApiIT {
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private int answer;

  @BeforeEach
  void start() throws Exception {
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(
        "/",
        exchange -> {
          requests.add(exchange.getRequestMethod());
          if (answer > 0) {
            exchange.sendResponseHeaders(answer, -1);
          }
          exchange.close(); // without headers: the connection is lost
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 503, 504, 429, 0})
  void aCreateIsSentOnceWhateverTheAnswer(int code) {
    answer = code;
    var config =
        new ConfigBuilder()
            .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
            .build();
    var pod =
        new PodBuilder().withNewMetadata().withName("a").withNamespace("n").endMetadata().build();
    try (var client = KubeConnection.client(config, "test/1")) {
      var kube = new KubeApi(client);
      assertThatThrownBy(() -> kube.create(pod)).isInstanceOf(KubernetesClientException.class);
      assertThat(requests).containsExactly("POST");
      assertThatThrownBy(() -> kube.get(Pod.class, Resource.of(pod)))
          .isInstanceOf(KubernetesClientException.class);
      assertThat(requests).hasSizeGreaterThan(1);
    }
  }
}

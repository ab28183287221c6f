package dev.runnerset.kube;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A create is one request, whatever the client library does with others. */
final class KubeApiIT {
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private int answer;
  private String body = "";

  @BeforeEach
  void start() throws Exception {
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(
        "/",
        exchange -> {
          requests.add(exchange.getRequestMethod());
          if (!body.isEmpty()) {
            requests.add(exchange.getRequestURI().getPath());
            requests.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
            exchange.sendResponseHeaders(200, body.length());
            exchange.getResponseBody().write(body.getBytes(UTF_8));
          } else if (answer > 0) {
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

  private KubernetesClient client() {
    var url = "http://127.0.0.1:" + server.getAddress().getPort();
    return KubeConnection.client(new ConfigBuilder().withMasterUrl(url).build(), "test/1");
  }

  private static Pod pod() {
    return new PodBuilder()
        .withNewMetadata()
        .withName("a")
        .withNamespace("n")
        .endMetadata()
        .build();
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 503, 504, 429, 0})
  void aCreateIsSentOnceWhateverTheAnswer(int code) {
    answer = code;
    var pod = pod();
    try (var client = client()) {
      var kube = new KubeApi(client);
      assertThatThrownBy(() -> kube.create(pod)).isInstanceOf(KubernetesClientException.class);
      assertThat(requests).containsExactly("POST");
      assertThatThrownBy(() -> kube.get(Pod.class, Resource.of(pod)))
          .isInstanceOf(KubernetesClientException.class);
      assertThat(requests).hasSizeGreaterThan(1);
    }
  }

  /** A webhook renames it. Nobody would look for it under that name, nor may others delete it. */
  @Test
  void rn13WhatIsStoredUnderAnotherNameIsDeletedAtOnceAndIsRefused() {
    body = "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a-x\",\"namespace\":\"n\",\"uid\":\"u\"}}";
    var pod = pod();
    try (var client = client()) {
      var kube = new KubeApi(client);
      assertThatThrownBy(() -> kube.create(pod))
          .isInstanceOfSatisfying(
              KubernetesClientException.class,
              e -> assertThat(e.getCode()).as("certainly not made").isEqualTo(422))
          .hasMessageContaining("made the Pod a under the name a-x, which was deleted again")
          .hasMessageContaining("metadata.name");
      assertThat(requests)
          .contains("POST", "DELETE", "/api/v1/namespaces/n/pods/a-x")
          .anyMatch(request -> request.contains("\"preconditions\":{\"uid\":\"u\"}"));
      requests.clear();
      assertThat(kube.dryRunCreate(pod).at("/metadata/name").asText()).isEqualTo("a-x");
      assertThat(requests).as("nothing was stored").doesNotContain("DELETE");
    }
  }
}

package dev.runnerset.kube;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A write that fails while the lease ends is reported to the caller at once. */
final class LeaseGuardIT {
  private static final Duration LASTS = Duration.ofSeconds(15);
  private static final Resource POD = Resource.of(Pod.class, "n", "a");

  private final AtomicLong nanos = new AtomicLong();
  private final List<String> writes = new CopyOnWriteArrayList<>();
  private final LeaseGuard guard =
      new LeaseGuard(
          "n", "lease", "me", LASTS, Clock.fixed(Instant.EPOCH, ZoneOffset.UTC), nanos::get);
  private HttpServer server;
  private KubernetesClient plain;
  private KubernetesClient client;
  private int code;
  private final AtomicInteger reads = new AtomicInteger();
  private volatile int failingReads;
  private volatile @Nullable String retryAfter;

  /** Takes the lease; answers each other request with the code, and the lease ends at that. */
  @BeforeEach
  void start() throws Exception {
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(
        "/",
        exchange -> {
          var sent = exchange.getRequestBody().readAllBytes();
          if (exchange.getRequestURI().getPath().contains("/leases")) {
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(201, sent.length);
            exchange.getResponseBody().write(sent);
          } else if (exchange.getRequestMethod().equals("GET")) {
            reads.incrementAndGet();
            answerRead(exchange);
          } else {
            writes.add(exchange.getRequestMethod());
            nanos.addAndGet(LASTS.toNanos());
            if (code > 0) {
              exchange.sendResponseHeaders(code, -1);
            }
          }
          exchange.close(); // without headers: the connection is lost
        });
    server.start();
    var config =
        new ConfigBuilder()
            .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
            .build();
    plain = KubeConnection.client(config, "test/1");
    client = guard.guarded(plain);
    var lease =
        new LeaseBuilder()
            .withNewMetadata()
            .withNamespace("n")
            .withName("lease")
            .endMetadata()
            .withNewSpec()
            .withHolderIdentity("me")
            .endSpec()
            .build();
    var _ = new KubeApi(client).create(lease);
    assertThat(guard.holds()).isTrue();
  }

  @AfterEach
  void stop() {
    client.close();
    plain.close();
    server.stop(0);
  }

  private void answerRead(HttpExchange exchange) throws IOException {
    if (reads.get() > failingReads) {
      var pod =
          "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"}}".getBytes(UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, pod.length);
      exchange.getResponseBody().write(pod);
    } else if (code > 0) {
      if (retryAfter != null) {
        exchange.getResponseHeaders().add("Retry-After", retryAfter);
      }
      exchange.sendResponseHeaders(code, -1);
    }
  }

  private static void failsAtOnce(Runnable write) {
    // sooner than the lease lasts
    assertThatThrownBy(() -> CompletableFuture.runAsync(write).get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(KubernetesClientException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {503, 429, 0})
  void aWriteWhoseLeaseEndsBeforeItsRepetitionFailsAtOnce(int answer) {
    code = answer;
    var body = JsonNodeFactory.instance.objectNode();
    failsAtOnce(() -> new KubeApi(client).merge(Pod.class, POD, body));
    assertThat(guard.holds()).isFalse();
    assertThat(writes).containsExactly("PATCH");
  }

  @Test
  void soDoesAWriteOfALibrary() {
    code = 503;
    failsAtOnce(() -> client.pods().inNamespace("n").withName("a").delete());
    assertThat(guard.holds()).isFalse();
    assertThat(writes).containsExactly("DELETE");
  }

  /** As the list with which a program starts: else one bad answer would end the start. */
  @ParameterizedTest
  @ValueSource(ints = {503, 429, 500, 0})
  void aReadThatFailsIsRepeated(int answer) {
    code = answer;
    failingReads = 1;
    assertThat(client.pods().inNamespace("n").withName("a").get()).isNotNull();
    assertThat(new KubeApi(client).get(Pod.class, POD)).isNotNull();
  }

  @Test
  void aReadIsRepeatedOnceAndItsLastAnswerIsReported() {
    code = 503;
    failingReads = 9;
    assertThatThrownBy(() -> new KubeApi(client).get(Pod.class, POD))
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(503));
    assertThat(reads).hasValue(2);
  }

  @Test
  void aServerThatAsksForMorePatienceIsNotAskedAgain() {
    code = 429;
    retryAfter = "20";
    failingReads = 9;
    assertThatThrownBy(() -> new KubeApi(client).get(Pod.class, POD))
        .isInstanceOf(KubernetesClientException.class);
    assertThat(reads).hasValue(1);
  }

  private void merge(String spec) {
    var at = Resource.of(Lease.class, "n", "lease");
    var body = JsonNodeFactory.instance.objectNode();
    body.set("spec", client.getKubernetesSerialization().unmarshal(spec, JsonNode.class));
    try {
      var _ = new KubeApi(client).merge(Lease.class, at, body);
    } catch (RuntimeException e) {
      // the server of this test echoes a patch, which is no lease
    }
  }

  @Test
  void theHolderIsWhomTheLeaseNamesHoweverItIsWritten() {
    merge("{\"renewTime\": null}");
    assertThat(guard.holds()).as("the holder stays").isTrue();
    merge("{\"holderIdentity\" : \"me\"}");
    assertThat(guard.holds()).isTrue();
    merge("{\"holderIdentity\": null}");
    assertThat(guard.holds()).as("given back").isFalse();
    merge("{\"holderIdentity\": \"me\"}");
    assertThat(guard.holds()).isTrue();
    merge("{\"holderIdentity\": \"you\"}");
    assertThat(guard.holds()).isFalse();
  }

  @Test
  void aLeaseThatIsDeletedIsNobodys() {
    client.resources(Lease.class).inNamespace("n").withName("lease").delete();
    assertThat(guard.holds()).isFalse();
  }
}

package dev.runnerset.simulator.kube;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.simulator.kube.json.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** What only the in-process server has: counters, faults, its own entry points. */
final class KubeApiServerIT {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  private final HttpClient client = HttpClient.newHttpClient();
  private KubeApiServer server;

  @BeforeEach
  void start() {
    server = KubeApiServer.start(0, Clock.fixed(NOW, ZoneOffset.UTC));
  }

  @AfterEach
  void stop() {
    server.close();
    client.shutdownNow();
  }

  private HttpResponse<String> send(String writer, String method, String path, String body)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url() + path))
            .header("User-Agent", writer)
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static String map(String name) {
    return "{\"metadata\": {\"name\": \"" + name + "\"}}";
  }

  private static final String PODS = "/api/v1/namespaces/default/pods";

  private static String pod(String name, String more) {
    return """
    {"metadata": {"name": "%s"}, "spec": {%s "containers": [{"name": "runner", "image": "a:1"}]}}
    """
        .formatted(name, more);
  }

  private String refusal(String path, String body) throws Exception {
    var answer = send("controller", "POST", path, body);
    return answer.statusCode()
        + " "
        + Json.parse(answer.body().getBytes(UTF_8), false).get("message").asText();
  }

  /** Else an informer of fabric8 does not count as watching, nor its program as healthy. */
  @Test
  void aWatchBeginsWithABookmarkSoThatAnInformerIsHealthyAtOnce() throws Exception {
    send("controller", "POST", MAPS, map("a"));
    var at = server.url() + MAPS + "?watch=true&allowWatchBookmarks=true&resourceVersion=";
    var list = Json.parse(send("controller", "GET", MAPS, "").body().getBytes(UTF_8), false);
    var revision = list.at("/metadata/resourceVersion").asText();
    var request = HttpRequest.newBuilder(URI.create(at + revision)).build();
    var lines =
        client
            .sendAsync(request, HttpResponse.BodyHandlers.ofLines())
            .get(10, TimeUnit.SECONDS)
            .body();
    assertThat(lines.findFirst().orElseThrow())
        .contains("\"BOOKMARK\"", "\"resourceVersion\":\"" + revision + "\"");
  }

  @Test
  @Timeout(10)
  void aQuotaCountsPodsThatHaveNotEndedAndRefusesTheNextInTheRealWords() throws Exception {
    server.apply(
        """
        {apiVersion: v1, kind: ResourceQuota, metadata: {name: few, namespace: default},
         spec: {hard: {pods: "1"}}}
        """);
    assertThat(send("controller", "POST", PODS, pod("a", "")).statusCode()).isEqualTo(201);
    assertThat(refusal(PODS + "?dryRun=All", pod("b", "")))
        .isEqualTo(
            "403 pods \"b\" is forbidden: exceeded quota: few, requested: pods=1, used: pods=1,"
                + " limited: pods=1");
    assertThat(refusal(PODS, pod("b", ""))).startsWith("403 pods");
    send(
        "kubelet",
        "PUT",
        PODS + "/a/status",
        pod("a", "").replaceFirst("\\{", "{\"status\": {\"phase\": \"Failed\"}, "));
    while (send("controller", "POST", PODS, pod("b", "")).statusCode() != 201) {
      // the use falls a little later, as a controller sees the end
    }
  }

  @Test
  void aPodMustNameAServiceAccountAndAPriorityClassThatAreThere() throws Exception {
    assertThat(refusal(PODS, pod("a", "\"serviceAccountName\": \"builder\",")))
        .isEqualTo(
            "403 pods \"a\" is forbidden: error looking up service account default/builder:"
                + " serviceaccount \"builder\" not found");
    assertThat(refusal(PODS, pod("a", "\"priorityClassName\": \"low\",")))
        .isEqualTo("403 pods \"a\" is forbidden: no PriorityClass with name low was found");
    server.apply("{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: low}}");
    assertThat(
            send("controller", "POST", PODS, pod("a", "\"priorityClassName\": \"low\","))
                .statusCode())
        .isEqualTo(201);
  }

  @Test
  void aWebhookThatMatchesFailsAsIfNobodyWereBehindIt() throws Exception {
    server.apply(
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingWebhookConfiguration
        metadata: {name: down}
        webhooks:
        - name: pods.example.com
          clientConfig: {url: "https://127.0.0.1:9/check"}
          rules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [pods]}]
          namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: default}}
        """);
    assertThat(refusal(PODS, pod("a", "")))
        .isEqualTo(
            "500 Internal error occurred: failed calling webhook \"pods.example.com\": failed to call"
                + " webhook: Post \"https://127.0.0.1:9/check?timeout=10s\": dial tcp 127.0.0.1:9:"
                + " connect: connection refused");
    assertThat(send("controller", "POST", MAPS, map("a")).statusCode()).isEqualTo(201);
    var elsewhere = "/api/v1/namespaces/kube-system/pods";
    assertThat(send("controller", "POST", elsewhere, pod("a", "")).statusCode()).isEqualTo(201);
  }

  @Test
  void countsRequestsByWriterVerbResourceAndCode() throws Exception {
    send("listener/1.2 (java)", "POST", MAPS, map("a"));
    send("listener/1.2 (java)", "POST", MAPS, map("a"));
    send("controller", "GET", MAPS + "/a", "");
    send("controller", "DELETE", MAPS + "/a", "");
    assertThat(server.counters().snapshot())
        .isEqualTo(
            Map.of(
                new RequestCounters.Key("listener", "create", "configmaps", "", 201), 1L,
                new RequestCounters.Key("listener", "create", "configmaps", "", 409), 1L,
                new RequestCounters.Key("controller", "get", "configmaps", "", 200), 1L,
                new RequestCounters.Key("controller", "delete", "configmaps", "", 200), 1L));
    JsonNode json = Json.MAPPER.readTree(send("x", "GET", "/_counters", "").body());
    assertThat(json.at("/requests/0/writer").asText()).isEqualTo("controller");
    assertThat(json.at("/requests")).hasSize(4);
  }

  @Test
  void failsTheNextWritesOnlyAndSoManyOnly() throws Exception {
    server.faults().failNextWrites("configmaps", 429, 2);
    assertThat(send("w", "GET", MAPS, "").statusCode()).isEqualTo(200);
    assertThat(send("w", "POST", MAPS, map("a")).statusCode()).isEqualTo(429);
    assertThat(send("w", "POST", MAPS, map("a")).statusCode()).isEqualTo(429);
    assertThat(send("w", "POST", MAPS, map("a")).statusCode()).isEqualTo(201);
  }

  @Test
  void whatIsHiddenFromAClientIsNeitherListedNorWatchedByIt() throws Exception {
    server.faults().hide("w", "configmaps");
    assertThat(send("w", "GET", MAPS, "").statusCode()).isEqualTo(403);
    assertThat(send("w", "GET", MAPS + "?watch=1", "").statusCode()).isEqualTo(403);
    assertThat(send("another", "GET", MAPS, "").statusCode()).isEqualTo(200);
    assertThat(send("w", "POST", MAPS, map("a")).statusCode()).isEqualTo(201);
    assertThat(send("w", "GET", MAPS + "/a", "").statusCode()).isEqualTo(200);
    server.faults().show("w", "configmaps");
    assertThat(send("w", "GET", MAPS, "").statusCode()).isEqualTo(200);
  }

  @Test
  void aWatchWithALagTellsLaterAndAReadDoesNot() throws Exception {
    server.faults().watchLag("configmaps", Duration.ofMillis(500));
    String revision =
        Json.MAPPER
            .readTree(send("w", "GET", MAPS, "").body())
            .at("/metadata/resourceVersion")
            .asText();
    HttpRequest watch =
        HttpRequest.newBuilder(
                URI.create(server.url() + MAPS + "?watch=1&resourceVersion=" + revision))
            .build();
    var response = client.sendAsync(watch, HttpResponse.BodyHandlers.ofInputStream()).join();
    try (var events = response.body()) {
      long made = System.nanoTime();
      server.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}");
      assertThat(send("w", "GET", MAPS + "/a", "").statusCode()).isEqualTo(200);
      assertThat(events.read()).isEqualTo('{');
      assertThat(Duration.ofNanos(System.nanoTime() - made)).isGreaterThan(Duration.ofMillis(490));
    }
  }

  @Test
  void appliesInProcessTwiceAndCountsNothing() {
    String yaml = "{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {a: b}}";
    server.apply(yaml);
    server.apply(yaml);
    assertThat(server.counters().snapshot()).isEmpty();
    assertThatThrownBy(() -> server.apply("{apiVersion: v1, kind: Nothing, metadata: {name: s}}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("unknown kind Nothing in v1");
    assertThatThrownBy(() -> server.apply("{apiVersion: v1, kind: Pod, metadata: {name: s}}"))
        .hasMessageContaining("spec.containers: Required value");
  }

  @Test
  void takesTheTimeFromItsClock() throws Exception {
    String made = send("w", "POST", MAPS, map("a")).body();
    assertThat(made).contains("\"creationTimestamp\":\"2026-01-02T03:04:05Z\"");
  }

  @Test
  void refusesOtherPatchesAndOddBodies() throws Exception {
    for (String form : new String[] {"apply-patch+yaml", "strategic-merge-patch+json"}) {
      HttpRequest patch =
          HttpRequest.newBuilder(URI.create(server.url() + MAPS + "/a?fieldManager=x"))
              .header("Content-Type", "application/" + form)
              .method("PATCH", HttpRequest.BodyPublishers.ofString("{}"))
              .build();
      assertThat(client.send(patch, HttpResponse.BodyHandlers.ofString()).statusCode())
          .isEqualTo(415);
    }
    assertThat(send("w", "POST", MAPS, "{").statusCode()).isEqualTo(400);
    assertThat(send("w", "POST", MAPS, "[1]").statusCode()).isEqualTo(400);
    assertThat(send("w", "POST", MAPS, "{\"metadata\": 1}").statusCode()).isEqualTo(400);
    assertThat(send("w", "POST", MAPS, "x".repeat(4_000_000)).statusCode()).isEqualTo(413);
    assertThat(send("w", "GET", "/apis/nothing/v1/things", "").statusCode()).isEqualTo(404);
    assertThat(send("w", "PUT", MAPS, "{}").statusCode()).isEqualTo(405);
  }

  @Test
  void badOptionsAreOneLineAndExitCode2() {
    for (String[] args :
        new String[][] {{"--nothing"}, {"--port", "x"}, {"--port", "70000"}, {"--latency", "-1"}}) {
      StringWriter err = new StringWriter();
      CommandLine line = KubeApiServerMain.commandLine().setErr(new PrintWriter(err, true));
      assertThat(line.execute(args)).isEqualTo(2);
      assertThat(err.toString().lines()).hasSize(1);
    }
  }
}

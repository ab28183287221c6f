package dev.runnerset.e2e.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.cluster.Selection;
import dev.runnerset.cli.ui.Stage;
import dev.runnerset.cli.ui.Ui;
import dev.runnerset.e2e.RealServer;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * 42.2: the page follows a real API server, which serves watches by web sockets, with one list and
 * one watch for each kind.
 */
@Timeout(60)
final class RealUiIT {
  private static final String NAMESPACE = "ui";
  private static final String AGENT = "ui-test";
  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

  @Test
  void aChangeIsOnThePageWithinASecondByOneListAndOneWatchForEachKind() throws Exception {
    var admin = RealServer.adminIn(NAMESPACE);
    var set = admin.resource(set()).inNamespace(NAMESPACE);
    set.create();
    var audit = RealServer.cluster().auditFromNow();
    try (var cluster = new Cluster(client(), NAMESPACE);
        var ui = Ui.start(cluster, Selection.of(NAMESPACE), 0, Stage.NONE, Clock.systemUTC());
        var http = HttpClient.newBuilder().cookieHandler(new CookieManager()).build()) {
      var entry = URI.create(ui.entryUrl());
      http.send(HttpRequest.newBuilder(entry).build(), BodyHandlers.discarding());
      var stream = HttpRequest.newBuilder(entry.resolve("/events")).build();
      try (var lines = http.send(stream, BodyHandlers.ofLines()).body()) {
        var events = lines.iterator();
        await(events, "\"name\":\"linux\"");
        var took = new ArrayList<Duration>();
        for (int busy = 7; busy < 10; busy++) {
          long from = System.nanoTime();
          set.subresource("status")
              .patch(MERGE, "{\"status\": {\"runners\": {\"busy\": " + busy + "}}}");
          await(events, "\"busy\":" + busy + ",");
          took.add(Duration.ofNanos(System.nanoTime() - from));
        }
        took.sort(null);
        assertThat(took.get(1)).as("the median of %s", took).isLessThan(Duration.ofSeconds(1));
        set.delete();
        await(events, "\"gone\":[\"ui/linux\"]");
      }
      http.shutdownNow();
    }
    var asked = new ArrayList<String>();
    Awaitility.await()
        .untilAsserted(() -> {
          audit.forEachNew(entry -> {
            if (entry.userAgent().equals(AGENT)) {
              asked.add(entry.verb() + " " + entry.resource());
            }
          });
          assertThat(asked)
              .containsExactlyInAnyOrder(
                  "list autoscalingrunnersets",
                  "list ephemeralrunners",
                  "watch autoscalingrunnersets",
                  "watch ephemeralrunners");
        });
  }

  private static KubernetesClient client() {
    var cluster = RealServer.cluster();
    return cluster.client(cluster.adminKubeconfig(), AGENT);
  }

  private static void await(Iterator<String> events, String text) {
    String last;
    do {
      last = events.next();
    } while (!last.contains(text));
  }

  private static GenericKubernetesResource set() {
    return Serialization.unmarshal(
        """
        apiVersion: runnerset.dev/v1alpha1
        kind: AutoScalingRunnerSet
        metadata: {name: linux, namespace: %s}
        spec:
          githubConfigUrl: https://github.com/my-org
          githubConfigSecret: {name: github}
          template: {spec: {containers: [{name: runner, image: "ghcr.io/actions/actions-runner:2.338.1"}]}}
        """
            .formatted(NAMESPACE),
        GenericKubernetesResource.class);
  }
}

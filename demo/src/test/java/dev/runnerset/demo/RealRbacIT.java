package dev.runnerset.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.kube.KubeConnection;
import dev.runnerset.testcluster.TestCluster;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a taken-over listener could do (WR5): every write that the real server knows is tried with
 * the listener's own token, while the controller has granted it what it grants.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RealRbacIT {
  private static final String TRUSTED = "runnerset-listener";
  private static final String ANOTHER = "another";
  private static final Map<String, String> METHOD_BY_VERB =
      Map.of(
          "create", "POST",
          "update", "PUT",
          "patch", "PATCH",
          "delete", "DELETE",
          "deletecollection", "DELETE");

  private RealCluster cluster;
  private World world;
  private KubernetesClient admin;
  private KubernetesClient listener;

  /** A kind of resource as discovery tells of it; {@code name} has the subresource. */
  private record Served(String root, String name, boolean namespaced, List<String> verbs) {}

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    TestCluster.unavailableReason().ifPresent(Assumptions::abort);
    cluster = new RealCluster(folder);
    var clock = Clock.systemUTC();
    var options =
        new DemoOptions(
            Scenario.IDLE,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            true,
            Optional.empty(),
            Duration.ofSeconds(1),
            true);
    world = new World(cluster, options, folder, new Progress(System.out, false, clock), clock);
    world.begin(0, 5); // the controller grants
    admin = new KubernetesClientBuilder().withConfig(cluster.admin()).build();
    listener = KubeConnection.connect(Optional.of(cluster.listenerKubeconfig()), "rbac-test");
  }

  @AfterAll
  void stop() {
    for (AutoCloseable part : new AutoCloseable[] {listener, admin, world, cluster}) {
      try {
        if (part != null) {
          part.close();
        }
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void everyOtherWriteIsRefused() {
    var allowed = new TreeSet<String>();
    int tried = 0;
    for (var resource : served()) {
      for (var verb : resource.verbs()) {
        var method = METHOD_BY_VERB.get(verb);
        if (method == null) {
          continue; // no write
        }
        for (var namespace : namespaces(resource)) {
          tried++;
          if (isAllowed(method, path(resource, namespace, ANOTHER, verb))) {
            allowed.add(namespace + " " + verb + " " + resource.name());
          }
        }
      }
    }
    assertThat(tried).as("writes that were tried").isGreaterThan(300);
    assertThat(allowed)
        .containsExactlyInAnyOrder(
            // marks on runners, by any name: it cannot know them before
            "demo patch ephemeralrunners/status",
            // its own namespace
            TRUSTED + " patch autoscalinglisteners/status",
            TRUSTED + " create leases",
            TRUSTED + " update leases",
            TRUSTED + " patch leases",
            // of everybody that is logged in: questions about himself, nothing is stored
            "- create selfsubjectaccessreviews",
            "- create selfsubjectreviews",
            "- create selfsubjectrulesreviews");
  }

  @Test
  void theDemandOfItsSetMayBeWrittenAndOfNoOther() {
    assertThat(isAllowed("PATCH", ers("linux") + "/status")).isTrue();
    assertThat(isAllowed("PATCH", ers(ANOTHER) + "/status")).isFalse();
    assertThat(isAllowed("PATCH", ers("linux"))).as("its spec").isFalse();
    assertThat(isAllowed("PATCH", ers("linux") + "/scale")).as("its scale").isFalse();
    assertThat(isAllowed("GET", ers("linux"))).as("reading it").isFalse();
  }

  @Test
  void theSecretOfItsSetMayBeReadAndNoOther() {
    assertThat(isAllowed("GET", "/api/v1/namespaces/demo/secrets/github")).isTrue();
    assertThat(isAllowed("GET", "/api/v1/namespaces/demo/secrets/" + ANOTHER)).isFalse();
    assertThat(isAllowed("GET", "/api/v1/namespaces/demo/secrets")).as("all of them").isFalse();
    assertThat(isAllowed("GET", "/api/v1/namespaces/default/secrets/github")).isFalse();
  }

  private static String ers(String name) {
    return "/apis/runnerset.dev/v1alpha1/namespaces/demo/ephemeralrunnersets/" + name;
  }

  private static List<String> namespaces(Served resource) {
    return resource.namespaced() ? List.of("demo", TRUSTED, "default") : List.of("-");
  }

  private static String path(Served resource, String namespace, String name, String verb) {
    var parts = resource.name().split("/", 2);
    var path = resource.root() + (resource.namespaced() ? "/namespaces/" + namespace : "");
    path += "/" + parts[0];
    if (parts.length == 2) {
      return path + "/" + name + "/" + parts[1];
    }
    return verb.equals("create") || verb.equals("deletecollection") ? path : path + "/" + name;
  }

  /** Whether the server lets it through; what it says of the content then is another matter. */
  private boolean isAllowed(String method, String path) {
    try {
      listener.raw(path, method, method.equals("GET") ? null : Map.of());
      return true;
    } catch (KubernetesClientException e) {
      return e.getCode() != 403;
    }
  }

  private List<Served> served() {
    var resources = new ArrayList<>(served("/api/v1"));
    for (var group : json("/apis").get("groups")) {
      resources.addAll(
          served("/apis/" + group.get("preferredVersion").get("groupVersion").asText()));
    }
    return resources;
  }

  private List<Served> served(String root) {
    var resources = new ArrayList<Served>();
    for (var resource : json(root).get("resources")) {
      var verbs = new ArrayList<String>();
      resource.get("verbs").forEach(verb -> verbs.add(verb.asText()));
      resources.add(
          new Served(
              root, resource.get("name").asText(), resource.get("namespaced").asBoolean(), verbs));
    }
    return resources;
  }

  private JsonNode json(String path) {
    return admin.getKubernetesSerialization().unmarshal(admin.raw(path), JsonNode.class);
  }
}

package dev.runnerset.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.crds.Labels;
import dev.runnerset.demo.world.World;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The bodies of the bound's writes, as JSON: taken from one busy runner of ours and its pod, so
 * that they are as large as ours are. What differs from runner to runner is named by the constants
 * of {@link Bound}.
 *
 * @param running the status patch of a runner whose container runs
 * @param busy the mark of a job that has begun
 * @param completed the mark of a job that has ended
 * @param budget the disruption budget of the set
 */
record Shapes(
    String runner,
    String secret,
    String pod,
    String running,
    String busy,
    String completed,
    String budget) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> KEPT =
      List.of("name", "labels", "annotations", "finalizers", "ownerReferences");
  private static final List<String> MARKS = List.of("requestId", "jobId", "job");
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /**
   * Waits until a runner of ours runs a job, and takes the shapes of its objects.
   *
   * @param namespace in which the bound makes its own
   * @param owner the uid of the ConfigMap there that owns its runners and has the same name
   */
  static Shapes take(World world, String namespace, String owner) {
    var found = new AtomicReference<Shapes>();
    world.await(
        "a runner is busy",
        PATIENCE,
        () -> {
          world.service().jobs().stream()
              .filter(job -> job.started() != null && job.completed() == null)
              .flatMap(job -> of(world.kube(), job.runnerName(), namespace, owner).stream())
              .findFirst()
              .ifPresent(found::set);
          return found.get() != null;
        },
        world::readyMessage);
    return found.get();
  }

  /** Of that runner, as the API server shows it; empty unless all is there and it is busy. */
  private static Optional<Shapes> of(
      KubernetesClient kube, String name, String namespace, String owner) {
    var runner = read(kube, "/apis/runnerset.dev/v1alpha1/namespaces/%s/ephemeralrunners/" + name);
    var status = runner.remove("status");
    if (!isBusy(status)) {
      return Optional.empty();
    }
    var set = runner.path("metadata").path("labels").path(Labels.SET).asText();
    var secret = read(kube, "/api/v1/namespaces/%s/secrets/" + name);
    var pod = read(kube, "/api/v1/namespaces/%s/pods/" + name);
    var budget = read(kube, "/apis/policy/v1/namespaces/%s/poddisruptionbudgets/" + set + "-busy");
    if (secret.isEmpty() || pod.isEmpty() || budget.isEmpty()) {
      return Optional.empty();
    }
    var busy = JSON.createObjectNode();
    MARKS.forEach(mark -> busy.set(mark, ((ObjectNode) status).remove(mark)));
    var completed = busy.deepCopy().put("jobResult", "succeeded");
    ((ObjectNode) completed.get("job")).put("completedIn", 100_000_000);
    owned(runner, owner).put("apiVersion", "v1").put("kind", "ConfigMap").put("name", namespace);
    ((ObjectNode) secret.get("data")).put("jitToken", Bound.JIT_CONFIG);
    owned(secret, Bound.UID);
    owned(pod, Bound.UID);
    pod.remove("status");
    ((ObjectNode) pod.get("spec")).remove("nodeName");
    var annotations = (ObjectNode) pod.get("metadata").get("annotations");
    annotations.put("runnerset.dev/runner-id", Bound.RUNNER_ID);
    budget.remove("status");
    ((ObjectNode) status).put("runnerId", Bound.RUNNER_ID);
    var shapes =
        new Shapes(
            trimmed(runner, name, namespace),
            trimmed(secret, name, namespace),
            trimmed(pod, name, namespace),
            // a number, and no text
            patch(status, name).replace("\"" + Bound.RUNNER_ID + "\"", Bound.RUNNER_ID),
            patch(busy, name),
            patch(completed, name),
            trimmed(budget, name, namespace));
    return Optional.of(shapes);
  }

  private static boolean isBusy(@Nullable JsonNode status) {
    return status != null
        && status.path("phase").asText().equals("Running")
        && MARKS.stream().allMatch(status::has)
        && !status.has("jobResult");
  }

  /** Without a field where it is gone. */
  private static ObjectNode read(KubernetesClient kube, String path) {
    var text = kube.raw(path.formatted(World.NAMESPACE));
    try {
      return text == null ? JSON.createObjectNode() : (ObjectNode) JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ObjectNode owned(ObjectNode object, String uid) {
    return ((ObjectNode) object.at("/metadata/ownerReferences/0")).put("uid", uid);
  }

  private static String trimmed(ObjectNode object, String name, String namespace) {
    var metadata = ((ObjectNode) object.get("metadata")).retain(KEPT);
    return object
        .set("metadata", metadata.put("namespace", namespace))
        .toString()
        .replace(name, Bound.NAME);
  }

  private static String patch(JsonNode status, String name) {
    return JSON.createObjectNode().set("status", status).toString().replace(name, Bound.NAME);
  }
}

package dev.runnerset.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.demo.world.World;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

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
   * @param owner what owns its runners, as an element of {@code ownerReferences}
   */
  static Shapes take(World world, String namespace, JsonNode owner) {
    var found = new AtomicReference<Shapes>();
    world.await(
        "a runner is busy",
        PATIENCE,
        () -> {
          world.service().jobs().stream()
              .filter(job -> job.started() != null && job.completed() == null)
              .findFirst()
              .flatMap(job -> of(world.kube(), job.runnerName(), namespace, owner))
              .ifPresent(found::set);
          return found.get() != null;
        },
        world::readyMessage);
    return found.get();
  }

  /** Of that runner; empty while it is not marked. */
  private static Optional<Shapes> of(
      KubernetesClient kube, String name, String namespace, JsonNode owner) {
    var runner =
        kube.resources(EphemeralRunner.class).inNamespace(World.NAMESPACE).withName(name).get();
    if (runner == null
        || !runner.statusOrNone().isBusy()
        || runner.statusOrNone().phase() != RunnerPhase.RUNNING) {
      return Optional.empty();
    }
    var set = runner.getMetadata().getLabels().get(Labels.SET);
    var paths =
        List.of(
            "/apis/runnerset.dev/v1alpha1/namespaces/%s/ephemeralrunners/" + name,
            "/api/v1/namespaces/%s/secrets/" + name,
            "/api/v1/namespaces/%s/pods/" + name,
            "/apis/policy/v1/namespaces/%s/poddisruptionbudgets/" + set + "-busy");
    var objects = paths.stream().map(p -> kube.raw(p.formatted(World.NAMESPACE))).toList();
    return Optional.of(of(name, namespace, owner, objects));
  }

  /**
   * From objects as the API server shows them.
   *
   * @param objects runner, secret, pod and budget
   */
  static Shapes of(String name, String namespace, JsonNode owner, List<String> objects) {
    try {
      var runner = (ObjectNode) JSON.readTree(objects.get(0));
      var secret = (ObjectNode) JSON.readTree(objects.get(1));
      var pod = (ObjectNode) JSON.readTree(objects.get(2));
      var budget = (ObjectNode) JSON.readTree(objects.get(3));
      var status = (ObjectNode) runner.remove("status");
      var busy = JSON.createObjectNode();
      MARKS.forEach(mark -> busy.set(mark, status.remove(mark)));
      var completed = busy.deepCopy().put("jobResult", "succeeded");
      ((ObjectNode) completed.get("job")).put("completedIn", 100_000_000);
      ((ObjectNode) runner.get("metadata")).putArray("ownerReferences").add(owner);
      ((ObjectNode) secret.get("data")).put("jitToken", Bound.JIT_CONFIG);
      owned(secret);
      owned(pod);
      pod.remove("status");
      ((ObjectNode) pod.get("spec")).remove("nodeName");
      var annotations = (ObjectNode) pod.get("metadata").get("annotations");
      annotations.put("runnerset.dev/runner-id", Bound.RUNNER_ID);
      budget.remove("status");
      status.put("runnerId", Bound.RUNNER_ID);
      return new Shapes(
          trimmed(runner, name, namespace),
          trimmed(secret, name, namespace),
          trimmed(pod, name, namespace),
          // a number, and no text
          patch(status, name).replace("\"" + Bound.RUNNER_ID + "\"", Bound.RUNNER_ID),
          patch(busy, name),
          patch(completed, name),
          trimmed(budget, name, namespace));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void owned(ObjectNode object) {
    ((ObjectNode) object.at("/metadata/ownerReferences/0")).put("uid", Bound.UID);
  }

  private static String trimmed(ObjectNode object, String name, String namespace) {
    var metadata = ((ObjectNode) object.get("metadata")).retain(KEPT);
    return object
        .set("metadata", metadata.put("namespace", namespace))
        .toString()
        .replace(name, Bound.NAME);
  }

  private static String patch(ObjectNode status, String name) {
    return JSON.createObjectNode().set("status", status).toString().replace(name, Bound.NAME);
  }
}

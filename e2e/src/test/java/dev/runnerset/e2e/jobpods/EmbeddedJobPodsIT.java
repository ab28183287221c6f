package dev.runnerset.e2e.jobpods;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.demo.progress.DemoException;
import dev.runnerset.demo.world.World;
import dev.runnerset.e2e.Play;
import dev.runnerset.simulator.node.PodFault;
import dev.runnerset.simulator.service.JobView;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runners in mode {@code kubernetes} are killed with their jobs: nothing of these jobs is left, and
 * nothing of a living runner or of somebody else is touched (RN23, SH5). Both programs are
 * processes.
 */
final class EmbeddedJobPodsIT {
  private static final int KILLED = 50;
  private static final int LIVING = 10;
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final String CONTAINER =
      "{name: runner, image: \"runner:2.338.1\", env: [{name: ACTIONS_RUNNER_CONTAINER_HOOKS,"
          + " value: /home/runner/k8s/index.js}]}";

  /** What looks like a job of runners of others, and of a runner whose name is used again. */
  private static final String FOREIGN =
      """
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: %1$s, namespace: %2$s, labels: {runner-pod: %3$s}}
      spec: {imagePullSecrets: [{name: %3$s-secret-00000000}], containers: [{name: job, image: i}]}
      """;

  @TempDir Path folder;

  @Test
  void nothingIsLeftOfKilledRunnersAndNothingElseIsTouched() throws IOException {
    try (var cluster = Play.embeddedCluster(folder);
        var world = Play.world(cluster, folder)) {
      try {
        play(world);
      } catch (AssertionError | DemoException e) {
        Play.printLastLines(world, 40);
        throw e;
      }
    }
  }

  private static void play(World world) {
    world
        .node()
        .faults(pod ->
            pod.equals("again") ? Optional.of(new PodFault.CannotConnect()) : Optional.empty());
    world.start();
    world.prepare();
    world.makeSet(
        World.SET, world.configUrl("my-org"), "maxRunners: " + (KILLED + LIVING), CONTAINER);
    world.awaitReady(0);
    makeForeign(world, "again-workflow", "again"); // older than any runner of that name
    world.pass(Duration.ofSeconds(2));
    makeRunner(world);
    makeForeign(world, "again-step-00000001", "again");
    makeForeign(world, "arc-runner-workflow", "arc-runner");
    world.submit(KILLED + LIVING, Duration.ofMinutes(30));
    var all = KILLED + LIVING;
    world.await(
        "each job has a pod, a batch job and secrets",
        SOON,
        () -> ofSet(world, Job.class).size() == all && ofSet(world, Secret.class).size() == 2 * all,
        world::readyMessage);
    world.await(
        "the budget of the set covers all pods",
        SOON,
        () -> ofSet(world, Pod.class).stream().allMatch(EmbeddedJobPodsIT::isCovered),
        world::readyMessage);
    var working = working(world);
    assertThat(working).hasSize(all);
    var killed = Set.copyOf(working.subList(0, KILLED));
    makeForeign(world, "somebody", working.getFirst());
    var others = uids(world, killed);
    useNameAgain(world);
    var begin = world.now();
    killed.forEach(name -> kill(world, name));
    world.await(
        "what the killed runners left is gone",
        PATIENCE,
        () -> leftOf(world, killed).findAny().isEmpty(),
        () -> leftOf(world, killed).limit(5).toList() + "; " + world.readyMessage());
    System.out.printf(
        "figure: after %d killed runners nothing was left in %.0f s%n",
        KILLED, Duration.between(begin, world.now()).toMillis() / 1000.0);
    assertThat(uids(world, killed)).as("of living runners and of others").isEqualTo(others);
  }

  private static List<String> working(World world) {
    return world.service().jobs().stream()
        .filter(job -> job.started() != null && job.completed() == null)
        .map(JobView::runnerName)
        .sorted()
        .toList();
  }

  private static boolean isCovered(Pod pod) {
    var labels = pod.getMetadata().getLabels();
    return "true".equals(labels.get("runnerset.dev/busy"))
        && World.SET.equals(labels.get("runnerset.dev/set"));
  }

  private static <T extends HasMetadata> List<T> labelled(World world, Class<T> kind) {
    return world
        .kube()
        .resources(kind)
        .inNamespace(World.NAMESPACE)
        .withLabel("runner-pod")
        .list()
        .getItems();
  }

  private static String runnerOf(HasMetadata object) {
    return object.getMetadata().getLabels().getOrDefault("runner-pod", "");
  }

  private static <T extends HasMetadata> List<T> ofSet(World world, Class<T> kind) {
    return labelled(world, kind).stream()
        .filter(object -> runnerOf(object).startsWith(World.SET + "-"))
        .toList();
  }

  private static Stream<HasMetadata> all(World world) {
    return Stream.of(Pod.class, Job.class, Secret.class)
        .flatMap(kind -> labelled(world, kind).stream());
  }

  private static boolean isLeft(HasMetadata object, Set<String> killed) {
    return killed.contains(runnerOf(object))
        && object.getMetadata().getName().startsWith(World.SET + "-");
  }

  private static Stream<String> leftOf(World world, Set<String> killed) {
    return all(world)
        .filter(object -> isLeft(object, killed))
        .map(object -> object.getKind() + " " + object.getMetadata().getName());
  }

  private static Set<String> uids(World world, Set<String> killed) {
    return all(world)
        .filter(object -> !isLeft(object, killed))
        .map(object -> object.getMetadata().getName() + " " + object.getMetadata().getUid())
        .collect(Collectors.toSet());
  }

  private static void kill(World world, String name) {
    var _ =
        world.kube().pods().inNamespace(World.NAMESPACE).withName(name).withGracePeriod(0).delete();
  }

  private static void makeForeign(World world, String name, String runner) {
    var yaml =
        FOREIGN.formatted(name, World.NAMESPACE, runner)
            + """
            ---
            apiVersion: v1
            kind: Secret
            metadata: {name: %1$s-secret-00000000, namespace: %2$s, labels: {runner-pod: %1$s}}
            """
                .formatted(runner, World.NAMESPACE);
    for (var object : world.kube().load(new ByteArrayInputStream(yaml.getBytes(UTF_8))).items()) {
      var _ = world.kube().resource(object).createOr(there -> there.update());
    }
  }

  private static void makeRunner(World world) {
    var yaml =
        """
        apiVersion: runnerset.dev/v1alpha1
        kind: EphemeralRunner
        metadata: {name: again, namespace: %s}
        spec:
          githubConfigUrl: "%s"
          githubConfigSecret: {name: github}
          runnerScaleSetId: %d
          template: {spec: {containers: [%s]}}
        """
            .formatted(
                World.NAMESPACE,
                world.configUrl("my-org"),
                world.service().scaleSets().getFirst().id(),
                World.CONTAINER);
    var runner = world.kube().getKubernetesSerialization().unmarshal(yaml, EphemeralRunner.class);
    var _ = world.kube().resource(runner).create();
  }

  /** The runner of that name goes, and another one comes. */
  private static void useNameAgain(World world) {
    var again =
        world
            .kube()
            .resources(EphemeralRunner.class)
            .inNamespace(World.NAMESPACE)
            .withName("again");
    world.mergeRunner(
        "again", "{\"metadata\": {\"annotations\": {\"runnerset.dev/force-delete\": \"true\"}}}");
    var _ = again.delete();
    world.await("the first runner is gone", SOON, () -> again.get() == null, world::readyMessage);
    makeRunner(world);
  }
}

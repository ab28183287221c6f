package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.simulator.service.HttpFault;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The deletion of a set whose runners have jobs, or whose credentials are gone (DL1, DL7). */
class DeletionIT {
  @AutoClose private final ControllerWorld world = ControllerWorld.started();

  private Pod pod(EphemeralRunner runner) {
    var name = runner.getMetadata().getName();
    var pods = world.kube.pods().inNamespace("default").withName(name);
    world.soon("the pod of " + name).until(() -> pods.get() != null);
    return pods.get();
  }

  private void podRuns(EphemeralRunner runner) {
    world.patch(
        pod(runner),
        """
        {"phase": "Running", "containerStatuses": [{"name": "runner", "image": "i", "imageID": "",
         "ready": true, "restartCount": 0, "state": {"running": {"startedAt": "%s"}}}]}
        """
            .formatted(Instant.now()));
    world
        .soon("it")
        .until(() ->
            world.runners().stream()
                .filter(r -> r.getMetadata().getName().equals(runner.getMetadata().getName()))
                .anyMatch(r -> r.statusOrNone().phase() == RunnerPhase.RUNNING));
  }

  private void podEnds(EphemeralRunner runner) {
    world.patch(
        pod(runner),
        """
        {"phase": "Succeeded", "containerStatuses": [{"name": "runner", "image": "i",
         "imageID": "", "ready": false, "restartCount": 0,
         "state": {"running": null, "terminated": {"exitCode": 0, "finishedAt": "%s"}}}]}
        """
            .formatted(Instant.now()));
  }

  private void delete(String name) {
    world.kube.resource(world.set(name)).delete();
  }

  /** The settle window is 30 s: no runner whose completion was heard waits for its end. */
  @Test
  void aRunnerWhoseJobEndsDuringTheDeletionGoesAtOnce() {
    world.create("linux", "minRunners: 0");
    world.listenerConnects("linux");
    world.demand("linux", 1, 3);
    world.soon("it").until(() -> world.runners().size() == 1);
    var runner = world.runners().getFirst();
    podRuns(runner);
    world.patch(runner, "{\"requestId\": 11, \"jobId\": \"j\", \"job\": {\"displayName\": \"x\"}}");
    delete("linux");
    world
        .soon("it")
        .until(() -> {
          var set = world.runnerSet("linux");
          return set != null && Integer.valueOf(0).equals(set.getSpec().replicas());
        });
    world.patch(runner, "{\"jobResult\": \"succeeded\", \"job\": {\"completedIn\": 5}}");
    world.demand("linux", 0, 5);
    podEnds(runner);
    world.within(Duration.ofSeconds(15)).until(() -> world.runners().isEmpty());
    world.listenerLeavesOnceDeleted("linux", Duration.ofSeconds(15));
  }

  private String firstEphemeralRunnerSet() {
    world.create("linux", "minRunners: 1");
    world.listenerConnects("linux");
    world.demand("linux", 1, 3);
    world.soon("it").until(() -> world.runners().size() == 2);
    return world.runnerSet("linux").getMetadata().getUid();
  }

  private void foregroundDeletion() {
    world
        .kube
        .resource(world.runnerSet("linux"))
        .withPropagationPolicy(DeletionPropagation.FOREGROUND)
        .delete();
  }

  private void finalizers(HasMetadata object, String list) {
    world
        .kube
        .resource(object)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"metadata\": {\"finalizers\": %s}}".formatted(list));
  }

  private void awaitAnother(String uid) {
    world
        .within(Duration.ofSeconds(10), "another EphemeralRunnerSet")
        .until(() -> {
          var set =
              world
                  .kube
                  .resources(EphemeralRunnerSet.class)
                  .inNamespace(ControllerWorld.NAMESPACE)
                  .withName("linux")
                  .get();
          return set != null
              && !set.getMetadata().getUid().equals(uid)
              && set.getMetadata().getDeletionTimestamp() == null;
        });
  }

  /** The busy runner stays with its job, and runners are made for the jobs that come meanwhile. */
  @Test
  void dm7AForegroundDeletionOfTheEphemeralRunnerSetStopsNoScaling() {
    var uid = firstEphemeralRunnerSet();
    var busy = world.runners().getFirst();
    podRuns(busy);
    world.patch(busy, "{\"requestId\": 11, \"jobId\": \"j\", \"job\": {\"displayName\": \"x\"}}");
    finalizers(pod(busy), "[\"example.com/shield\"]"); // what the shield does where it is installed
    foregroundDeletion();
    awaitAnother(uid);
    world.demand("linux", 3, 4);
    world
        .within(Duration.ofSeconds(20), "one for each job that waits, and a warm one")
        .until(() ->
            world.runners().stream()
                    .filter(r -> r.getMetadata().getDeletionTimestamp() == null)
                    .count()
                == 3);
    assertThat(world.runners())
        .filteredOn(r -> r.getMetadata().getUid().equals(busy.getMetadata().getUid()))
        .as("I1")
        .hasSize(1);
    world.patch(busy, "{\"jobResult\": \"succeeded\", \"job\": {\"completedIn\": 5}}");
    world.demand("linux", 2, 5);
    podEnds(busy);
    finalizers(pod(busy), "null");
    world
        .within(Duration.ofSeconds(20))
        .until(() ->
            world.runners().stream()
                .noneMatch(r -> r.getMetadata().getUid().equals(busy.getMetadata().getUid())));
  }

  @Test
  void anEphemeralRunnerSetThatAFinalizerOfSomebodyElseKeepsIsReported() {
    var uid = firstEphemeralRunnerSet();
    finalizers(world.runnerSet("linux"), "[\"example.com/mine\"]");
    foregroundDeletion();
    world.awaitCondition("linux", "Ready", "False", "ChildTerminating");
    assertThat(world.condition("linux", "Ready").orElseThrow().getMessage())
        .contains("[example.com/mine]");
    finalizers(world.runnerSet("linux"), "null");
    awaitAnother(uid);
    world
        .soon("it")
        .until(() ->
            world
                .condition("linux", "Ready")
                .filter(c -> "ChildTerminating".equals(c.getReason()))
                .isEmpty());
  }

  /** So it is in a namespace that is being deleted; runners that are forced are listed each 5 s. */
  @Test
  void theEndOfTheLastRunnerIsNoticedWithoutTheEphemeralRunnerSet() {
    world.create("linux", "minRunners: 0");
    world.listenerConnects("linux");
    world.demand("linux", 1, 3);
    world.soon("it").until(() -> world.runners().size() == 1);
    var runner = world.runners().getFirst();
    podRuns(runner);
    world.patch(runner, "{\"requestId\": 11, \"jobId\": \"j\", \"job\": {\"displayName\": \"x\"}}");
    delete("linux");
    world
        .soon("it")
        .until(() ->
            world
                .condition("linux", "Ready")
                .filter(c -> c.getMessage().contains("1 with a job"))
                .isPresent());
    world.kube.resource(world.runnerSet("linux")).delete();
    world.soon("it").until(() -> !world.hasRunnerSet("linux"));
    world.pass(Duration.ofMinutes(-10)); // the clock is set back: the next look is due in 10 min
    long before = looks();
    world.soon("it").until(() -> looks() > before);

    podEnds(runner);
    world.soon("it").until(() -> world.runners().isEmpty());
    world.listenerLeavesOnceDeleted("linux", Duration.ofSeconds(30));
  }

  /** How often the controller has listed runners. */
  private long looks() {
    return world.api.counters().snapshot().entrySet().stream()
        .filter(e -> e.getKey().writer().equals(ControllerWorld.WRITER))
        .filter(e -> e.getKey().verb().equals("list"))
        .filter(e -> e.getKey().resource().startsWith("ephemeralrunners."))
        .mapToLong(java.util.Map.Entry::getValue)
        .sum();
  }

  /** A running container may have a job that nobody could tell of: it ends by itself (I1). */
  @ParameterizedTest(name = "after a restart: {0}")
  @ValueSource(booleans = {false, true})
  void aDeletionWithoutCredentialsComesToItsEnd(boolean restart) {
    world.create("linux", "minRunners: 3");
    world.listenerConnects("linux");
    world.demand("linux", 0, 1);
    world.soon("it").until(() -> world.runners().size() == 3);
    var running = world.runners().getFirst();
    podRuns(running);
    world.runners().forEach(this::pod);
    world.faults(HttpFault.answer("*", 401, -1));
    if (restart) {
      world.stopController();
    }
    delete("linux");
    if (restart) {
      world.startController();
    }
    world
        .within(Duration.ofSeconds(60))
        .until(() ->
            world
                .condition("linux", "Registered")
                .filter(c -> "Unauthorized".equals(c.getReason()))
                .isPresent());
    var reported = world.condition("linux", "Ready").orElseThrow();
    assertThat(reported.getReason()).isEqualTo("Deleting");
    assertThat(reported.getMessage())
        .contains("cannot be removed", "put valid ones into the secret");
    assertThat(world.runners()).hasSize(3);

    world.pass(Duration.ofMinutes(6));
    world.within(Duration.ofSeconds(60)).until(() -> world.runners().size() == 1);
    assertThat(world.runners().getFirst().getMetadata().getName())
        .isEqualTo(running.getMetadata().getName());
    assertThat(world.runners().getFirst().getMetadata().getDeletionTimestamp()).isNull();
    assertThat(pod(running).getMetadata().getDeletionTimestamp()).as("I1").isNull();

    podEnds(running);
    world.pass(Duration.ofMinutes(1));
    world.within(Duration.ofSeconds(60)).until(() -> world.runners().isEmpty());
    await()
        .atMost(Duration.ofSeconds(90))
        .pollInterval(Duration.ofSeconds(2))
        .until(() -> {
          world.pass(Duration.ofMinutes(1)); // the session is left, too, and the scale set
          return !world.hasSet("linux");
        });
    assertThat(world.kube.pods().inNamespace("default").list().getItems()).isEmpty();
  }

  /** A4: an older version let it in; the API server refuses a label with its name. */
  @Test
  void aSetWhoseNameIsTooLongForALabelRegistersNothingAndGoes() {
    var name = "l".repeat(70);
    world.create(name, "minRunners: 1");
    world.awaitCondition(name, "Ready", "False", "NameTooLong");
    assertThat(world.control.scaleSets()).isEmpty();
    delete(name);
    world.soon("it goes").until(() -> !world.hasSet(name));
  }
}

package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.controller.config.AgeCollectionSettings;
import dev.runnerset.controller.config.FeatureGates;
import dev.runnerset.controller.scaling.DesiredRunners;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetStatus;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The whole controller with age collection, over restarts; the listener is the test. */
class AgeCollectionIT {
  private static final FeatureGates ON = FeatureGates.parse("RunnerMaximumGCAge=true");

  @AutoClose private final ControllerWorld world = new ControllerWorld();

  @BeforeEach
  void start() {
    world.secret("github", "github_token: " + ControllerWorld.TOKEN);
    world.startNode();
  }

  private static AgeCollectionSettings ages(int maximumSeconds) {
    return new AgeCollectionSettings(
        Duration.ofSeconds(maximumSeconds), Duration.ofSeconds(1), Duration.ofSeconds(1));
  }

  /** The set's runners that are idle, with their ages. */
  private Map<String, Instant> idle() {
    var idle = new TreeMap<String, Instant>();
    for (EphemeralRunner runner : world.runners()) {
      var status = runner.statusOrNone();
      if ("linux".equals(runner.getMetadata().getLabels().get(Labels.SET))
          && status.idleSince() != null
          && !status.isTerminal()
          && runner.getMetadata().getDeletionTimestamp() == null) {
        idle.put(runner.getMetadata().getName(), status.idleSince());
      }
    }
    return idle;
  }

  private void withIdle(int count, String... more) {
    var lines = new java.util.ArrayList<>(List.of("minRunners: " + count));
    lines.addAll(List.of(more));
    world.create("linux", lines.toArray(new String[0]));
    world.listenerConnects("linux");
    world.demand("linux", 0, 1);
    await().until(() -> idle().size() == count);
  }

  private AutoScalingRunnerSetStatus status() {
    return world.set("linux").getStatus();
  }

  private int replicas() {
    return DesiredRunners.of(world.runnerSet("linux"));
  }

  private double collected(String reason) {
    return series("runnerset_runners_garbage_collected_total{", "reason=\"" + reason + "\"");
  }

  private double series(String metric, String label) {
    return world
        .metrics()
        .lines()
        .filter(l -> l.startsWith(metric) && l.contains(label))
        .mapToDouble(l -> Double.parseDouble(l.substring(l.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElse(-1);
  }

  /** A job is assigned, and another runner comes up for it: so long nothing else happened. */
  private void awaitOneMore(int count) {
    world.demand("linux", 1, 2);
    await().until(() -> idle().size() == count);
  }

  @Test
  void enableDisableEnableAgesSurviveInTheStatus() {
    world.startController(ON, ages(3600));
    withIdle(3);
    var first = idle();
    assertThat(collected("age")).as("the series is there from the start").isZero();
    world.stopController();

    world.startController(FeatureGates.DEFAULTS, AgeCollectionSettings.DEFAULT);
    awaitOneMore(4);
    assertThat(idle()).as("off: nobody goes, no age changes").containsAllEntriesOf(first);
    world.stopController();

    var begun = world.now();
    world.startController(ON, ages(3));
    world
        .within(Duration.ofSeconds(8), "it")
        .until(() -> !idle().keySet().containsAll(first.keySet()));
    assertThat(world.now()).as("old by the ages from before").isBefore(begun.plusSeconds(20));
    world.soon("it").until(() -> idle().size() == 4);
    assertThat(collected("age")).isPositive();
    assertThat(collected("capacity")).as("no scale-down").isZero();
    assertThat(replicas()).isEqualTo(4);
  }

  @Test
  void releasedPlacesStayEmptyOverARestartUntilAJobIsAssigned() {
    world.startController(ON, ages(10));
    withIdle(3, "garbageCollection: {afterwards: Release}");
    world.soon("it").until(() -> Objects.equals(status().releasedIdle(), 3));
    world.soon("it").until(() -> idle().isEmpty() && replicas() == 0);
    world.soon("it").until(() -> status().idleCollections().count() == 3);
    var made = world.control.counters().getOrDefault("generatejitconfig", 0L);
    assertThat(made).as("nothing was made in between").isEqualTo(3);
    world.stopController();

    world.startController(ON, ages(3600));
    world.listenerFails("linux"); // what the new controller tells of it ends its first look
    world.awaitCondition("linux", "ListenerReady", "False", "Unavailable");
    assertThat(replicas()).isZero();
    assertThat(world.runners()).isEmpty();
    world.demand("linux", 1, 2);
    world.soon("it").until(() -> replicas() == 4);
    world.soon("it").until(() -> status().releasedIdle() == null);
  }

  @Test
  void runnersAreMadeForReleasedPlacesInTheSameProcessWhenAJobIsAssigned() {
    world.startController(ON, ages(10));
    withIdle(2, "garbageCollection: {afterwards: Release}");
    world.soon("it").until(() -> idle().isEmpty() && replicas() == 0);
    awaitOneMore(3);
    assertThat(replicas()).isEqualTo(3);
    world.soon("it").until(() -> status().releasedIdle() == null);
  }

  @Test
  void withoutAListenerNobodyGoesAndWithAGateOffAndAnAgeTheSetSaysSo() {
    world.startController(FeatureGates.DEFAULTS, AgeCollectionSettings.DEFAULT);
    withIdle(2, "garbageCollection: {maximumIdleAge: 2s}");
    world.awaitCondition("linux", "RunnerGCRefused", "True", "FeatureGateOff");
    awaitOneMore(3);
    var before = idle();
    world.stopController();
    world.listenerFails("linux");

    world.startController(ON, ages(0));
    world.awaitNoCondition("linux", "RunnerGCRefused");
    sweepOfAnotherSet();
    assertThat(idle()).as("nobody listens").isEqualTo(before);
    world.listenerConnects("linux");
    world.soon("it").until(() -> !idle().keySet().containsAll(before.keySet()));
  }

  @Test
  void aSetWhoseRunnersFailKeepsItsWarmOnes() {
    world.startController(ON, ages(0));
    withIdle(2, "garbageCollection: {maximumIdleAge: 1h}");
    world.patch(
        world.runners().getFirst(),
        "{\"phase\": \"Failed\", \"completionTime\": \"" + Instant.now() + "\"}");
    world.awaitCondition("linux", "RunnersFailing", "True", "BackOff");
    // a failure heals after 20 s: the clock jumps no further than that from here on
    await().until(() -> idle().size() == 2);
    var before = idle();
    var set = world.set("linux");
    var age = "{\"spec\": {\"garbageCollection\": {\"maximumIdleAge\": \"2s\"}}}";
    world.kube.resource(set).patch(PatchContext.of(PatchType.JSON_MERGE), age);
    sweepOfAnotherSet();
    assertThat(idle()).as("another may have come for the failed one").containsAllEntriesOf(before);
  }

  /** Made later and listened for: when its runners go, a sweep has passed by the first set. */
  private void sweepOfAnotherSet() {
    world.create("other", "minRunners: 2", "garbageCollection: {maximumIdleAge: 2s}");
    world.listenerConnects("other");
    world.demand("other", 0, 1);
    world.within(Duration.ofSeconds(10), "a sweep").until(() -> collected(world.set("other")) > 0);
  }

  private static int collected(@Nullable AutoScalingRunnerSet set) {
    var collections = Objects.requireNonNull(set).getStatus().idleCollections();
    return collections == null ? 0 : collections.count();
  }

  @Test
  void theThrashGuardSpeaksAndChangesNothing() {
    var alerts = new AlertRules();
    world.startController(ON, ages(2));
    withIdle(1);
    var before = world.metrics();
    assertThat(alerts.fires("RunnersetGarbageCollectionWithoutJobs", before, before)).isFalse();
    await("thrashing")
        .until(() -> {
          if (!idle().isEmpty()) {
            world.pass(Duration.ofSeconds(3)); // the warm runner is old enough, whoever it is
          }
          return world
              .condition("linux", "RunnerGCThrashing")
              .filter(c -> "True".equals(c.getStatus()))
              .isPresent();
        });
    world
        .soon("it")
        .untilAsserted(() ->
            assertThat(world.kube.v1().events().inNamespace("default").list().getItems())
                .extracting(e -> e.getReason())
                .contains("RunnerGCThrashing"));
    assertThat(series("runnerset_runner_gc_thrash_total{", "name=\"linux\"")).isPositive();
    int count = status().idleCollections().count();
    assertThat(count).isGreaterThan(3);
    world.soon("it").until(() -> status().idleCollections().count() > count);
    for (var alert :
        List.of("RunnersetGarbageCollectionWithoutJobs", "RunnersetGarbageCollectionThrashing")) {
      world.soon(alert).until(() -> alerts.fires(alert, before, world.metrics()));
      var later = world.metrics();
      assertThat(alerts.fires(alert, later, later)).as("after a quiet hour").isFalse();
    }
  }
}

package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.scaling.DesiredRunners;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.simulator.service.HttpFault;
import dev.runnerset.simulator.service.ScaleSetView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A set and its scale set at the service, from the first day to the last (NM2, DL3). */
class ScaleSetIT {
  @AutoClose private final ControllerWorld world = ControllerWorld.started();

  private ScaleSetView onlyScaleSet() {
    var all = world.control.scaleSets();
    assertThat(all).hasSize(1);
    return all.getFirst();
  }

  private AutoScalingRunnerSet set(String name) {
    return world.set(name);
  }

  private long calls(String endpoint) {
    return world.control.counters().getOrDefault(endpoint, 0L);
  }

  private boolean wasReported(String reason) {
    return !world.events(reason).isEmpty();
  }

  private void connected(String name) {
    world.create(name, "labels: [gpu]");
    world.listenerConnects(name);
    world.awaitCondition(name, "Ready", "True", "Ready");
  }

  /** Two sets of one moment do not see each other in the caches. */
  @Test
  void ofTwoSetsMadeAtOnceExactlyOneHasTheScaleSet() throws Exception {
    int pairs = 60;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var made = new ArrayList<Future<?>>();
      for (int i = 0; i < pairs; i++) {
        var name = "runnerScaleSetName: pair-" + i;
        for (var member : List.of("a-" + i, "b-" + i)) {
          made.add(threads.submit(() -> world.create(member, name)));
        }
      }
      for (var one : made) {
        one.get();
      }
    }
    var sets = world.kube.resources(AutoScalingRunnerSet.class).inNamespace("default");
    world
        .within(Duration.ofSeconds(60))
        .untilAsserted(() -> {
          var now = sets.list().getItems();
          assertThat(now)
              .allSatisfy(set ->
                  assertThat(
                          world
                              .condition(set.getMetadata().getName(), "Registered")
                              .map(c -> c.getReason()))
                      .hasValueSatisfying(
                          reason -> assertThat(reason).isIn("Registered", "ScaleSetNameTaken")));
          assertThat(scaleSetIds(now)).as("a pair may wait for each other").hasSize(pairs);
        });
    assertThat(scaleSetIds(sets.list().getItems())).hasSize(pairs).doesNotHaveDuplicates();
    assertThat(wasReported("ScaleSetAdopted")).isFalse();
  }

  private static List<Integer> scaleSetIds(List<AutoScalingRunnerSet> sets) {
    return sets.stream().map(set -> set.getStatus().scaleSetId()).filter(Objects::nonNull).toList();
  }

  @Test
  void labelsThatChangeReachTheService() {
    connected("linux");
    int id = onlyScaleSet().id();
    world.spec("linux", "labels: [big]");
    world
        .soon("it")
        .untilAsserted(
            () -> assertThat(onlyScaleSet().labels()).containsExactlyInAnyOrder("linux", "big"));
    assertThat(onlyScaleSet().id()).isEqualTo(id);
    world.awaitCondition("linux", "Ready", "True", "Ready");
  }

  @Test
  void aRenameTakesTheFormerNameFromTheLabelsAndKeepsTheScaleSet() {
    connected("linux");
    int id = onlyScaleSet().id();
    world.spec("linux", "runnerScaleSetName: renamed");
    world.soon("it").untilAsserted(() -> assertThat(onlyScaleSet().name()).isEqualTo("renamed"));
    assertThat(onlyScaleSet().labels()).containsExactlyInAnyOrder("renamed", "gpu");
    assertThat(onlyScaleSet().id()).isEqualTo(id);
    world.create("other", "runnerScaleSetName: linux");
    world.awaitCondition("other", "Registered", "True", "Registered");
  }

  @Test
  void aSetThatChangesItsGroupKeepsItsScaleSet() {
    connected("linux");
    int id = onlyScaleSet().id();
    int before = onlyScaleSet().runnerGroupId();
    world.spec("linux", "runnerGroup: gpu");
    world
        .soon("it")
        .untilAsserted(() -> assertThat(onlyScaleSet().runnerGroupId()).isNotEqualTo(before));
    assertThat(onlyScaleSet().id()).isEqualTo(id);
    world
        .soon("it")
        .untilAsserted(() ->
            assertThat(set("linux").getStatus().runnerGroupId())
                .isEqualTo(onlyScaleSet().runnerGroupId()));
    world.spec("linux", "runnerGroup: none");
    world.awaitCondition("linux", "Registered", "False", "RunnerGroupNotFound");
    assertThat(set("linux").getStatus().scaleSetId()).as("it works on").isEqualTo(id);
    assertThat(world.listener("linux").orElseThrow().getSpec().scaleSetId()).isEqualTo(id);
  }

  /** Another id is another connection: the listener opens its session again for it. */
  @Test
  void aScaleSetThatSomebodyDeletedIsMadeAgainAndAllThatNamesItFollows() {
    connected("linux");
    int id = onlyScaleSet().id();
    assertThat(world.control.deleteScaleSet(id)).isTrue();
    world.listenerFails("linux");
    world
        .within(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(world.control.scaleSets()).hasSize(1));
    int again = onlyScaleSet().id();
    assertThat(again).isNotEqualTo(id);
    assertThat(onlyScaleSet().labels()).containsExactlyInAnyOrder("linux", "gpu");
    world
        .soon("it")
        .untilAsserted(() -> {
          assertThat(set("linux").getStatus().scaleSetId()).isEqualTo(again);
          assertThat(world.listener("linux").orElseThrow().getSpec().scaleSetId()).isEqualTo(again);
          assertThat(world.runnerSet("linux").getSpec().runnerScaleSetId()).isEqualTo(again);
          assertThat(world.condition("linux", "Registered").orElseThrow().getMessage())
              .contains(String.valueOf(again));
        });
    world.soon("it").until(() -> wasReported("ScaleSetGone"));
    world.listenerConnects("linux");
    world.awaitCondition("linux", "Ready", "True", "Ready");
  }

  /** Whatever is asked of the service meanwhile, the set goes on with the scale set it has. */
  @Test
  void aKnownScaleSetIsKeptWhileTheServiceIsDown() {
    connected("linux");
    int id = onlyScaleSet().id();
    world.faults(HttpFault.answer("*", 503, -1));
    world.listenerFails("linux");
    world
        .within(Duration.ofSeconds(60))
        .until(() ->
            world
                .condition("linux", "Registered")
                .filter(c -> "ServiceUnavailable".equals(c.getReason()))
                .isPresent());
    world.spec("linux", "minRunners: 3");
    world
        .within(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(DesiredRunners.of(world.runnerSet("linux"))).isEqualTo(3));
    assertThat(set("linux").getStatus().scaleSetId()).isEqualTo(id);
    assertThat(world.listener("linux").orElseThrow().getSpec().scaleSetId()).isEqualTo(id);

    world.stopController(); // the next one remembers nothing
    world.startController();
    world.spec("linux", "minRunners: 4");
    world
        .within(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(DesiredRunners.of(world.runnerSet("linux"))).isEqualTo(4));
    assertThat(set("linux").getStatus().scaleSetId()).isEqualTo(id);

    world.faults();
    world
        .within(Duration.ofSeconds(60))
        .until(() ->
            world
                .condition("linux", "Registered")
                .filter(c -> "True".equals(c.getStatus()))
                .isPresent());
    assertThat(onlyScaleSet().id()).isEqualTo(id);
    assertThat(calls("createScaleSet")).isEqualTo(1);
  }
}

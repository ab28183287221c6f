package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.crds.HistoryEntry;
import dev.runnerset.simulator.node.PodFault;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A rollout through the whole controller: runners, counts and history. */
class RolloutIT {
  @AutoClose private final ControllerWorld world = new ControllerWorld();

  private List<String> history() {
    var status = world.set("linux").getStatus();
    return status == null
        ? List.of()
        : status.history().stream().map(e -> e.state() + " " + e.image()).toList();
  }

  private void awaitHistory(String... entries) {
    world
        .within(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(history()).containsExactly(entries));
  }

  @Test
  void anotherRevisionBeginsWithoutTheBackOffOfTheLast() {
    world.api.faults().failNextWrites("ephemeralrunners.runnerset.dev", 403, 1);
    world.start();
    world.create("linux", "minRunners: 1");
    world.awaitCondition("linux", "RunnersFailing", "True", "BackOff");
    world.spec("linux", "template: {spec: {containers: [{name: runner, image: 'runner:2'}]}}");
    world.awaitNoCondition("linux", "RunnersFailing");
  }

  /** A restart is no repair: what failed before is still reported. */
  @Test
  void failuresAreRememberedOverARestartOfTheController() {
    world.api.faults().failNextWrites("ephemeralrunners.runnerset.dev", 403, 1);
    world.start();
    world.create("linux", "minRunners: 1");
    world.awaitCondition("linux", "RunnersFailing", "True", "BackOff");
    world.stopController();
    world.startController();
    await().until(() -> world.runners().size() == 1);
    world.spec("linux", "maxRunners: 7"); // its status is written again
    await()
        .until(() -> {
          var set = world.set("linux");
          return Objects.equals(
              set.getStatus().observedGeneration(), set.getMetadata().getGeneration());
        });
    world.awaitCondition("linux", "RunnersFailing", "True", "BackOff");
  }

  @Test
  void aNewImageReplacesTheWarmRunnersAndItsEntryCompletesOnlyThen() {
    world.start();
    world.startNode();
    world.create("linux", "minRunners: 2");
    world.listenerConnects("linux");
    world.demand("linux", 0, 1);
    awaitHistory("COMPLETED runner:1");

    world.podFaults(pod -> Optional.of(new PodFault.StuckCreating()));
    world.spec("linux", "template: {spec: {containers: [{name: runner, image: 'runner:2'}]}}");
    awaitHistory("PARTIAL runner:2", "COMPLETED runner:1");
    world.podFaults(pod -> Optional.empty());
    awaitHistory("COMPLETED runner:2", "COMPLETED runner:1");

    var revision = world.runnerSet("linux").getSpec().revision();
    assertThat(world.set("linux").getStatus().history())
        .extracting(HistoryEntry::revision)
        .startsWith(revision);
    assertThat(world.runners())
        .filteredOn(r -> !r.statusOrNone().isTerminal())
        .hasSizeGreaterThanOrEqualTo(2)
        .allSatisfy(r -> assertThat(r.getSpec().revision()).isEqualTo(revision));
    await()
        .untilAsserted(() ->
            assertThat(world.metrics())
                .containsPattern(
                    "runnerset_runners_garbage_collected_total\\{[^}]*reason=\"revision\"[^}]*}"
                        + " 2"));
    assertThat(world.control.violations()).isEmpty();
  }
}

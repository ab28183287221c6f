package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.simulator.service.HttpFault;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Somebody deletes the scale set at the service: the set makes another one, and its pool again. */
class ScaleSetGoneIT {
  @AutoClose private final ControllerWorld world = ControllerWorld.started();
  private int former;

  private void deleteScaleSet() {
    assertThat(world.control.deleteScaleSet(former)).isTrue();
    world.listenerFails("linux");
    world.awaitCondition("linux", "ListenerReady", "False", "Unavailable");
    world.within(Duration.ofSeconds(20)).until(() -> scaleSet() != former);
    world.listenerConnects("linux");
    world.demand("linux", 0, 1);
  }

  private int scaleSet() {
    return world.runnerSet("linux").getSpec().runnerScaleSetId();
  }

  private static boolean isIdle(EphemeralRunner runner) {
    return runner.statusOrNone().phase() == RunnerPhase.RUNNING
        && runner.getMetadata().getDeletionTimestamp() == null;
  }

  private void awaitPool(int size) {
    world
        .within(Duration.ofSeconds(60))
        .untilAsserted(() -> {
          assertThat(world.runners())
              .extracting(r -> r.getSpec().runnerScaleSetId())
              .containsOnly(scaleSet());
          assertThat(world.runners().stream().filter(ScaleSetGoneIT::isIdle)).hasSize(size);
        });
    assertThat(world.control.runners())
        .as("each is registered, for the new scale set")
        .hasSize(size)
        .extracting(r -> r.scaleSetId())
        .containsOnly(scaleSet());
    world.awaitCondition("linux", "Ready", "True", "Ready");
    assertThat(world.control.violations()).isEmpty();
  }

  private void makeSet() {
    world.create("linux", "minRunners: 3");
    world.listenerConnects("linux");
    world.demand("linux", 0, 1);
    await().until(() -> world.runners().size() == 3);
    former = scaleSet();
  }

  @Test
  void runnersThatAreNotRegisteredYetAreReplaced() {
    world.faults(HttpFault.answer("generatejitconfig", 500, -1));
    makeSet();
    var old = List.copyOf(world.runners());
    deleteScaleSet();
    world.faults();
    world.startNode();
    awaitPool(3);
    assertThat(world.runners())
        .extracting(r -> r.getMetadata().getName())
        .doesNotContainAnyElementsOf(old.stream().map(r -> r.getMetadata().getName()).toList());
  }

  @Test
  void runnersThatAreRegisteredAndHaveNotStartedAreReplaced() {
    makeSet(); // no node: their pods stay Pending
    await().until(() -> world.control.runners().size() == 3);
    deleteScaleSet();
    world.startNode();
    awaitPool(3);
  }

  @Test
  void idleRunnersOfTheFormerScaleSetAreReplaced() {
    world.startNode();
    makeSet();
    awaitPool(3);
    deleteScaleSet();
    awaitPool(3);
  }
}

package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.simulator.service.FaultPlan;
import dev.runnerset.simulator.service.HttpFault;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Somebody deletes the scale set at the service: the set makes another one, and its pool anew. */
class ScaleSetGoneIT {
  private final ControllerWorld world = new ControllerWorld();
  private int former;

  @BeforeEach
  void start() {
    world.secret("github", "github_token: " + ControllerWorld.TOKEN);
    world.startController();
  }

  @AfterEach
  void stop() {
    world.close();
  }

  private void deleteScaleSet() {
    assertThat(world.service.control().deleteScaleSet(former)).isTrue();
    world.listenerFails("linux");
    world.awaitCondition("linux", "ListenerReady", "False", "Unavailable");
    await().atMost(Duration.ofSeconds(20)).until(() -> scaleSet() != former);
    world.listenerConnects("linux");
    world.demand("linux", 0, 1);
  }

  private int scaleSet() {
    return Objects.requireNonNull(world.runnerSet("linux")).getSpec().runnerScaleSetId();
  }

  private static boolean isIdle(EphemeralRunner runner) {
    return runner.statusOrNone().phase() == RunnerPhase.RUNNING
        && runner.getMetadata().getDeletionTimestamp() == null;
  }

  private void awaitPool(int size) {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> {
          assertThat(world.runners())
              .extracting(r -> r.getSpec().runnerScaleSetId())
              .containsOnly(scaleSet());
          assertThat(world.runners().stream().filter(ScaleSetGoneIT::isIdle)).hasSize(size);
        });
    assertThat(world.service.control().runners())
        .as("each is registered, for the new scale set")
        .hasSize(size)
        .extracting(r -> r.scaleSetId())
        .containsOnly(scaleSet());
    world.awaitCondition("linux", "Ready", "True", "Ready");
    assertThat(world.service.control().violations()).isEmpty();
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
    world
        .service
        .control()
        .faults(FaultPlan.NONE.withHttp(HttpFault.answer("generatejitconfig", 500, -1)));
    makeSet();
    var old = List.copyOf(world.runners());
    deleteScaleSet();
    world.service.control().faults(FaultPlan.NONE);
    world.startNode();
    awaitPool(3);
    assertThat(world.runners())
        .extracting(r -> r.getMetadata().getName())
        .doesNotContainAnyElementsOf(old.stream().map(r -> r.getMetadata().getName()).toList());
  }

  @Test
  void runnersThatAreRegisteredAndHaveNotStartedAreReplaced() {
    makeSet(); // no node: their pods stay Pending
    await().until(() -> world.service.control().runners().size() == 3);
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

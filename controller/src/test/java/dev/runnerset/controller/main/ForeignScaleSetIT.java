package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.CreateScaleSetResult;
import dev.runnerset.actions.JitConfigResult;
import dev.runnerset.actions.MessageSession;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.OpenSessionResult;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.controller.scaling.DesiredRunners;
import dev.runnerset.controller.testing.JumpingClock;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.ScaleSetProvenance.Origin;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Another controller, in another cluster, has a scale set of the same name: its scale set, its
 * runners and its session stay what they are (NM5, NM6, DL3).
 */
class ForeignScaleSetIT {
  private static final Duration SOON = Duration.ofSeconds(20);

  @AutoClose private final ControllerWorld world = ControllerWorld.started();
  private final ActionsService theirs = world.client("their-controller");
  private ScaleSetId id = new ScaleSetId(0);
  private MessageSession session;

  @BeforeEach
  void theyWork() {
    var wanted = new NewScaleSet("linux", RunnerGroupId.DEFAULT, List.of("linux", "gpu"));
    id = ((CreateScaleSetResult.Created) theirs.createScaleSet(wanted)).scaleSet().id();
    session = ((OpenSessionResult.Opened) theirs.openSession(id, "theirs")).session();
    assertThat(theirs.generateJitConfig(id, "their-runner", ""))
        .isInstanceOf(JitConfigResult.Registered.class);
  }

  private void theirsIsUntouched() {
    assertThat(world.control.scaleSets())
        .singleElement()
        .satisfies(set -> {
          assertThat(set.id()).isEqualTo(id.value());
          assertThat(set.labels()).containsExactlyInAnyOrder("linux", "gpu");
          assertThat(set.sessionId()).isEqualTo(session.id().value());
        });
    assertThat(world.control.runners())
        .extracting(runner -> runner.name())
        .containsExactly("their-runner");
  }

  private String message() {
    return world.condition("linux", "Registered").orElseThrow().getMessage();
  }

  @Test
  void aSetAsksBeforeItUsesWhatItFinds() {
    world.create("linux", "minRunners: 2");
    world.awaitCondition("linux", "Registered", "False", "AdoptionRequired");
    world.awaitCondition("linux", "Ready", "False", "AdoptionRequired");
    assertThat(message())
        .contains("id " + id, "1 runners registered", "a listener holds its session")
        .contains("spec.adoptScaleSetId: " + id);
    assertThat(world.hasRunnerSet("linux")).isFalse();
    assertThat(world.listener("linux")).isEmpty();
    theirsIsUntouched();

    world.kube.resource(world.set("linux")).delete();
    world.within(SOON).until(() -> !world.hasSet("linux"));
    theirsIsUntouched();
  }

  @Test
  void anAdoptedScaleSetGetsNoRunnerBeforeTheSessionIsOursAndIsLeftInTheEnd() {
    world.create("linux", "minRunners: 2", "labels: [gpu]", "adoptScaleSetId: " + id);
    world.awaitCondition("linux", "Registered", "True", "Registered");
    assertThat(world.set("linux").getStatus().scaleSetOrigin()).isEqualTo(Origin.ADOPTED);
    world.within(SOON).until(() -> world.listener("linux").isPresent());
    world.listenerConflicts("linux");
    world.awaitCondition("linux", "ListenerReady", "False", "SessionConflict");
    world.demand("linux", 3, 1);
    world.within(SOON).until(() -> DesiredRunners.of(runnerSet()) == 5);
    world.stopController();
    world.startController(); // and a restart forgets nothing of it
    world
        .within(SOON, "the reconciler of the runners has seen that")
        .until(() -> {
          var counts = runnerSet().statusOrNone().runners();
          return counts != null && counts.desired() == 5;
        });
    assertThat(world.runners()).isEmpty();
    theirsIsUntouched();

    session.close();
    world.listenerConnects("linux");
    world.within(SOON, "the runners").until(() -> world.runners().size() == 5);

    world.demand("linux", 0, 2);
    world.kube.resource(world.set("linux")).delete();
    world.listenerLeavesOnceDeleted("linux", JumpingClock.PATIENCE);
    world.soon("it").until(() -> !world.hasSet("linux"));
    assertThat(world.control.scaleSets())
        .singleElement()
        .satisfies(set -> assertThat(set.id()).isEqualTo(id.value()));
    assertThat(world.control.runners()).hasSize(1);
    assertThat(world.control.violations()).isEmpty();
  }

  private EphemeralRunnerSet runnerSet() {
    return world.runnerSet("linux");
  }
}

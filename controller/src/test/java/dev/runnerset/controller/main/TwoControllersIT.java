package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.crds.AutoScalingRunnerSet;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A set belongs to one installation; another one leaves all of it alone (WR11). */
final class TwoControllersIT {
  private static final String OURS = "runnerset-system/runnerset-controller";
  private static final String OTHER = "team-a/runnerset-controller";

  @AutoClose private final ControllerWorld world = ControllerWorld.started();

  @Test
  void aSetBearsItsControllerAndStaysItsOwnOverARestart() {
    world.create("linux");
    await().until(() -> world.listener("linux").isPresent());
    assertThat(set().statusOrNone().controller()).isEqualTo(OURS);
    world.stopController();
    world.startController();
    world.listenerConnects("linux");
    world.awaitCondition("linux", "Ready", "True", "Ready");
    assertThat(world.condition("linux", "OtherController")).isEmpty();
  }

  @Test
  void aSetOfAControllerThatLivesIsLeftAloneAndReportedSo() {
    lease("l-1");
    world.stopController();
    world.create("linux", "minRunners: 1");
    world.patch(set(), "{\"controller\": \"" + OTHER + "\"}");
    world.startController();
    world.awaitCondition("linux", "OtherController", "True", "LeaseFresh");
    assertThat(world.condition("linux", "OtherController").orElseThrow().getMessage())
        .contains(OTHER, OURS, "--namespace");
    var before = set().getMetadata().getResourceVersion();
    await()
        .during(Duration.ofSeconds(3))
        .until(() -> set().getMetadata().getResourceVersion().equals(before));
    assertThat(world.hasRunnerSet("linux")).isFalse();
    assertThat(world.listener("linux")).isEmpty();
    assertThat(world.control.scaleSets()).isEmpty();

    world.patch(set(), "{\"controller\": null}"); // handed over by hand
    await().until(() -> world.listener("linux").isPresent());
    await().until(() -> !world.runners().isEmpty());
    assertThat(set().statusOrNone().controller()).isEqualTo(OURS);
    assertThat(world.condition("linux", "OtherController")).isEmpty();
  }

  @Test
  void theRunnersOfASetThatWasHandedOverAreLeftAlone() {
    world.create("linux", "minRunners: 1");
    await().until(() -> world.runners().size() == 1);
    lease("l-1");
    world.patch(set(), "{\"controller\": \"" + OTHER + "\"}");
    world.awaitCondition("linux", "OtherController", "True", "LeaseFresh");
    world.kube.resource(world.runners().getFirst()).delete();
    world.spec("linux", "minRunners: 3");
    world.kube.resource(set()).delete();
    await()
        .during(Duration.ofSeconds(3))
        .until(() -> world.runners().size() == 1 && world.listener("linux").isPresent());
    assertThat(set().getMetadata().getFinalizers()).isNotEmpty();
  }

  private AutoScalingRunnerSet set() {
    return world.set("linux");
  }

  private void lease(String holder) {
    world.api.apply("{apiVersion: v1, kind: Namespace, metadata: {name: team-a}}");
    world.api.apply(
        """
        apiVersion: coordination.k8s.io/v1
        kind: Lease
        metadata: {name: runnerset-controller, namespace: team-a}
        spec: {holderIdentity: %s, leaseDurationSeconds: 15}
        """
            .formatted(holder));
  }
}

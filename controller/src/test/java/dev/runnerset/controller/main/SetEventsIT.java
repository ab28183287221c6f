package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code kubectl describe ars} shows as events over the life of a set. */
final class SetEventsIT {
  private final ControllerWorld world = new ControllerWorld();

  private List<Event> events() {
    return world.kube.v1().events().inNamespace("default").list().getItems().stream()
        .filter(e -> e.getInvolvedObject().getKind().equals("AutoScalingRunnerSet"))
        .toList();
  }

  private void awaitEvent(String type, String reason, String message) {
    world
        .soon(reason)
        .untilAsserted(() ->
            assertThat(events())
                .as(() -> events().stream().map(e -> e.getReason() + e.getMessage()).toList() + "")
                .anySatisfy(event -> {
                  assertThat(event.getType()).isEqualTo(type);
                  assertThat(event.getReason()).isEqualTo(reason);
                  assertThat(event.getMessage()).contains(message);
                  assertThat(event.getInvolvedObject().getUid())
                      .isEqualTo(world.set("linux").getMetadata().getUid());
                }));
  }

  @Test
  void aProblemIsReportedAndSoAreItsEndTheRegistrationTheSessionAndTheScale() {
    try (world) {
      world.startController();
      world.create("linux", "minRunners: 0");
      awaitEvent("Warning", "SecretNotFound", "github");
      world.secret("github", "github_token: " + ControllerWorld.TOKEN);
      awaitEvent("Normal", "Registered", "scale set");
      awaitEvent("Normal", "Healed", "SecretNotFound is over after ");
      world.listenerConnects("linux");
      awaitEvent("Normal", "Connected", "ListenerReady is True");
      awaitEvent("Normal", "Ready", "Ready is True");
      world.demand("linux", 3, 7);
      awaitEvent("Normal", "ScaledUp", "from 0 to 3 runners: 3 jobs are assigned");
      awaitEvent("Normal", "RolloutBegun", "runner:1");
      world.listenerFails("linux");
      awaitEvent("Warning", "Unavailable", "ListenerReady: ");
      world.listenerConnects("linux");
      awaitEvent("Normal", "Healed", "Unavailable is over after ");
      assertThat(events()).hasSizeLessThan(16);
    }
  }
}

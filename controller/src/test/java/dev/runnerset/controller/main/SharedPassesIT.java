package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.passes.PassPace;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Events of an EphemeralRunnerSet share a pass; events of other kinds do not (ADR 101). The number
 * of passes depends on the machine. So this test holds which reconciler is paced, and {@code
 * PassPaceTest} holds the pace.
 */
class SharedPassesIT {
  @AutoClose private final ControllerWorld world = new ControllerWorld();

  @ParameterizedTest
  @CsvSource({
    "ephemeralrunnerset, true",
    "ephemeralrunner, false",
    "autoscalingrunnerset, false",
    "autoscalinglistener, false"
  })
  void onlyPassesOverEphemeralRunnerSetsArePaced(String reconciler, boolean paced) {
    world.startController();
    assertThat(world.rateLimiter(reconciler) instanceof PassPace).isEqualTo(paced);
  }
}

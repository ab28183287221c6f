package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.crds.EphemeralRunnerStatus;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;

/**
 * The mark in the status of a runner that stays after its end: its registration and its secret are
 * gone, so that nobody asks for them again, not even after a restart. Pure.
 */
public final class Deregistration {
  private static final String REASON = "Deregistered";

  private Deregistration() {}

  public static Condition condition(Instant now) {
    return RunnerConditions.of(
        RunnerConditions.REGISTERED, "False", REASON, "the runner has ended", now);
  }

  public static boolean isIn(EphemeralRunnerStatus status) {
    return status.conditions().stream()
        .anyMatch(c ->
            RunnerConditions.REGISTERED.equals(c.getType())
                && "False".equals(c.getStatus())
                && REASON.equals(c.getReason()));
  }

  /** Our part of the status with the mark. */
  public static EphemeralRunnerStatus marked(ObservedRunner s) {
    var ours = s.ownStatus();
    return RunnerStatuses.ourPartOf(
        ours, RunnerConditions.with(ours.conditions(), condition(s.now())));
  }
}

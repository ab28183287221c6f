package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.RunnerReason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;

/**
 * The mark in the status of a runner that stays after its end: its registration and its secret are
 * gone, so that nobody asks for them again, not even after a restart. Pure.
 */
public final class Deregistration {
  private Deregistration() {}

  public static Condition condition(Instant now) {
    return RunnerConditions.of(
        ConditionType.REGISTERED,
        Value.FALSE,
        RunnerReason.DEREGISTERED,
        "the runner has ended",
        now);
  }

  public static boolean isIn(EphemeralRunnerStatus status) {
    return StatusConditions.find(status.conditions(), ConditionType.REGISTERED)
        .filter(c -> StatusConditions.has(c, Value.FALSE))
        .filter(c -> StatusConditions.has(c, RunnerReason.DEREGISTERED))
        .isPresent();
  }

  /** Our part of the status with the mark. */
  public static EphemeralRunnerStatus marked(ObservedRunner s) {
    var ours = s.ownStatus();
    return RunnerStatuses.ourPartOf(
        ours, RunnerConditions.with(ours.conditions(), condition(s.now())));
  }
}

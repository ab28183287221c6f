package dev.runnerset.controller.retention;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.Retention;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The two buckets of finished runners (RT1). */
public enum Outcome {
  /** The condition {@code Succeeded} is True. */
  SUCCEEDED,
  /** It is False, for whatever reason: crashed, evicted, out of memory, version refused. */
  FAILED;

  /** The word for it in metrics and messages. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What the condition says; empty for a runner that is not finished, whatever its phase. */
  public static Optional<Outcome> of(EphemeralRunner runner) {
    return of(status(runner));
  }

  /** The same of a status alone. */
  public static Optional<Outcome> of(EphemeralRunnerStatus status) {
    return StatusConditions.find(status.conditions(), ConditionType.SUCCEEDED).flatMap(Outcome::of);
  }

  private static Optional<Outcome> of(Condition succeeded) {
    if (StatusConditions.has(succeeded, Value.TRUE)) {
      return Optional.of(SUCCEEDED);
    }
    return StatusConditions.has(succeeded, Value.FALSE) ? Optional.of(FAILED) : Optional.empty();
  }

  /**
   * What the condition says, or is going to say of a runner that has ended.
   *
   * @param exitCode of its container, if that is known to have ended
   * @param live the set's block as it is now
   */
  public static Outcome expected(
      EphemeralRunner runner, @Nullable Integer exitCode, @Nullable Retention live) {
    var status = status(runner);
    var told = of(status);
    if (told.isPresent()) {
      return told.get();
    }
    boolean failed =
        status.phase() == RunnerPhase.FAILED
            || status.phase() == RunnerPhase.OUTDATED
            || (exitCode != null && exitCode != 0);
    return failed || JobOutcome.failure(status.jobResult(), live).isPresent() ? FAILED : SUCCEEDED;
  }

  private static EphemeralRunnerStatus status(EphemeralRunner runner) {
    return runner.getStatus() == null ? EphemeralRunnerStatus.NONE : runner.getStatus();
  }
}

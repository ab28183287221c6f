package dev.runnerset.controller.ephemeralrunner.outcome;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.Retention;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.RunnerReason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a finished runner ended; each outcome has its own time and limit (RT1). */
public enum RunnerOutcome {
  /** The condition {@code Succeeded} is True. */
  SUCCEEDED,
  /** The condition is False, for any reason: crash, eviction, no memory, version refused. */
  FAILED;

  /** The word in metrics and messages. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The outcome of a finished runner; empty for any other, whatever its phase. */
  public static Optional<RunnerOutcome> of(EphemeralRunner runner) {
    return of(runner.statusOrNone());
  }

  /** The outcome in a status. */
  public static Optional<RunnerOutcome> of(EphemeralRunnerStatus status) {
    return StatusConditions.find(status.conditions(), ConditionType.SUCCEEDED)
        .flatMap(RunnerOutcome::of);
  }

  private static Optional<RunnerOutcome> of(Condition succeeded) {
    if (StatusConditions.has(succeeded, Value.TRUE)) {
      return Optional.of(SUCCEEDED);
    }
    return StatusConditions.has(succeeded, Value.FALSE) ? Optional.of(FAILED) : Optional.empty();
  }

  /**
   * The outcome of a runner that has ended, even if its condition does not say it yet.
   *
   * @param exitCode the exit code of its container; null while that is not known
   * @param live the set's present retention block
   */
  public static RunnerOutcome expected(
      EphemeralRunner runner, @Nullable Integer exitCode, @Nullable Retention live) {
    var status = runner.statusOrNone();
    var known = of(status);
    if (known.isPresent()) {
      return known.get();
    }
    boolean failed =
        status.phase() == RunnerPhase.FAILED
            || status.phase() == RunnerPhase.OUTDATED
            || (exitCode != null && exitCode != 0);
    return failed || jobFailure(status.jobResult(), live).isPresent() ? FAILED : SUCCEEDED;
  }

  /**
   * The reason for which a runner that ended well counts as failed, where {@code outcomeFrom: Job}
   * asks for it: {@code JobFailed} or {@code JobCanceled}. Empty for a job that went well, for an
   * unknown result, and for {@code outcomeFrom: Runner}.
   *
   * @param jobResult as the service spells it, an open set of words (protocol 4.2)
   */
  public static Optional<RunnerReason> jobFailure(
      @Nullable String jobResult, @Nullable Retention live) {
    if (jobResult == null || live == null || live.outcomeFrom() != Retention.OutcomeFrom.JOB) {
      return Optional.empty();
    }
    return switch (jobResult.toLowerCase(Locale.ROOT)) {
      case "failed", "abandoned" -> Optional.of(RunnerReason.JOB_FAILED);
      case "canceled" -> Optional.of(RunnerReason.JOB_CANCELED);
      default -> Optional.empty();
    };
  }
}

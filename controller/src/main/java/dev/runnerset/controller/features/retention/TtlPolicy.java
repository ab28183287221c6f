package dev.runnerset.controller.features.retention;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.ephemeralrunner.outcome.RetentionRules;
import dev.runnerset.controller.ephemeralrunner.outcome.RunnerOutcome;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Timestamps;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.Optional;

/** When the time of a finished runner is over (RT6). */
@Pure
final class TtlPolicy {
  private TtlPolicy() {}

  /** Whether the time of the runner is over. */
  static boolean isOver(EphemeralRunner runner, Instant now) {
    return endOfTime(runner).filter(end -> !end.isAfter(now)).isPresent();
  }

  /** When its time is over; empty while no time runs for it. */
  static Optional<Instant> endOfTime(EphemeralRunner runner) {
    if (runner.isMarkedForDeletion() || RetentionRules.isRetained(runner)) {
      return Optional.empty();
    }
    return RunnerOutcome.of(runner)
        .flatMap(outcome -> RetentionRules.ttl(runner.getSpec().retention(), outcome))
        .flatMap(ttl -> finishedAt(runner).map(at -> at.plus(ttl)));
  }

  /** The transition time of the condition; an unreadable time never deletes a runner. */
  private static Optional<Instant> finishedAt(EphemeralRunner runner) {
    return StatusConditions.find(runner.statusOrNone().conditions(), ConditionType.SUCCEEDED)
        .map(Condition::getLastTransitionTime)
        .flatMap(time -> Optional.ofNullable(Timestamps.parse(time)));
  }
}

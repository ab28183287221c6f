package dev.runnerset.controller.retention.rules;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Timestamps;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** When the time of a finished runner is over (RT6). */
public final class TtlPolicy {
  private TtlPolicy() {}

  /** What to do about a runner. */
  public sealed interface Decision {
    /** Nothing: no time runs for it. */
    record Stays() implements Decision {}

    /** Delete it: its time is over. */
    record Expired(RunnerOutcome outcome) implements Decision {}

    /** Decide again when the remaining time, more than zero, is over. */
    record Remains(Duration remaining) implements Decision {}
  }

  public static Decision decide(EphemeralRunner runner, Instant now) {
    var outcome = RunnerOutcome.of(runner);
    if (outcome.isEmpty()
        || runner.getMetadata().getDeletionTimestamp() != null
        || RetentionRules.isRetained(runner)) {
      return new Decision.Stays();
    }
    var ttl = RetentionRules.ttl(runner.getSpec().retention(), outcome.get());
    var since = finishedAt(runner);
    if (ttl.isEmpty() || since.isEmpty()) {
      return new Decision.Stays();
    }
    var remaining = Duration.between(now, since.get().plus(ttl.get()));
    return remaining.isPositive()
        ? new Decision.Remains(remaining)
        : new Decision.Expired(outcome.get());
  }

  /** The transition time of the condition; an unreadable time never deletes a runner. */
  private static Optional<Instant> finishedAt(EphemeralRunner runner) {
    return StatusConditions.find(runner.statusOrNone().conditions(), ConditionType.SUCCEEDED)
        .map(Condition::getLastTransitionTime)
        .flatMap(time -> Optional.ofNullable(Timestamps.parse(time)));
  }
}

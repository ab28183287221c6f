package dev.runnerset.controller.retention;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Timestamps;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** When the time of a finished runner is over (RT6). Pure. */
final class TtlPolicy {
  private TtlPolicy() {}

  /** What becomes of a runner. */
  sealed interface Decision {
    /** No time is running for it. */
    record Stays() implements Decision {}

    /** Its time is over. */
    record Expired(Outcome outcome) implements Decision {}

    /** Its time is over in so long; more than zero. */
    record Remains(Duration remaining) implements Decision {}
  }

  static Decision decide(EphemeralRunner runner, Instant now) {
    var outcome = Outcome.of(runner);
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

  /** When the condition turned; an unreadable one is never a reason to delete. */
  private static Optional<Instant> finishedAt(EphemeralRunner runner) {
    return StatusConditions.find(runner.getStatus().conditions(), ConditionType.SUCCEEDED)
        .map(Condition::getLastTransitionTime)
        .flatMap(time -> Optional.ofNullable(Timestamps.parse(time)));
  }
}

package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.EphemeralRunnerSetReason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * The condition that tells of runners that end before they get a job; the set mirrors it (WR3). It
 * is present only while it is True.
 */
@Pure
final class FailingCondition {
  /** How long a failure counts after the backoff ended, unless a job comes first. */
  static final Duration STANDS = Duration.ofMinutes(5);

  private FailingCondition() {}

  static Optional<Condition> of(
      List<Condition> before,
      CreationBackoff backoff,
      boolean held,
      String lastFailure,
      long generation,
      Instant now) {
    if (held) {
      return build(
          before,
          EphemeralRunnerSetReason.RUNNER_VERSION_REJECTED,
          "the service refuses this runner version: use a newer image in spec.template; the set holds"
              + " at zero until then",
          generation,
          now);
    }
    if (!isFailing(backoff, now)) {
      return Optional.empty();
    }
    return build(
        before,
        EphemeralRunnerSetReason.BACK_OFF,
        "runners fail ("
            + backoff.failures()
            + " times in a row); new ones are made no earlier than "
            + backoff.notBefore().truncatedTo(ChronoUnit.SECONDS)
            + "; last: "
            + lastFailure,
        generation,
        now);
  }

  private static Optional<Condition> build(
      List<Condition> before,
      EphemeralRunnerSetReason reason,
      String message,
      long generation,
      Instant now) {
    return Optional.of(
        StatusConditions.build(
            before, ConditionType.RUNNERS_FAILING, Value.TRUE, reason, message, generation, now));
  }

  /** Whether failures still count: until {@link #STANDS} after the backoff ended. */
  static boolean isFailing(CreationBackoff backoff, Instant now) {
    return backoff.failures() > 0 && now.isBefore(backoff.notBefore().plus(STANDS));
  }
}

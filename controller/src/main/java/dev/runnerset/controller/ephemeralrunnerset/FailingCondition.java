package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.ShortText;
import dev.runnerset.crds.LastTransition;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The condition that tells why runners do not come up; the set mirrors it (WR3). */
final class FailingCondition {
  /** Its type, on the ers and on the set. */
  private static final int LONGEST_MESSAGE = 1000;

  static final String TYPE = "RunnersFailing";

  /** A failure counts that long after its backoff, unless a job comes first. */
  static final Duration STANDS = Duration.ofMinutes(5);

  private FailingCondition() {}

  static List<Condition> of(
      List<Condition> before,
      CreationBackoff backoff,
      boolean held,
      String lastFailure,
      long generation,
      Instant now) {
    var wanted = wanted(backoff, held, lastFailure, now);
    wanted.setObservedGeneration(generation);
    wanted.setLastTransitionTime(LastTransition.of(before, TYPE, wanted.getStatus(), now));
    return List.of(wanted);
  }

  /** When the condition would change without an event. */
  static boolean isFailing(CreationBackoff backoff, Instant now) {
    return backoff.failures() > 0 && now.isBefore(backoff.notBefore().plus(STANDS));
  }

  private static Condition wanted(
      CreationBackoff backoff, boolean held, String lastFailure, Instant now) {
    if (held) {
      return condition(
          "True",
          "RunnerVersionRejected",
          "the service refuses this runner version: use a newer image in spec.template; the set holds"
              + " at zero until then");
    }
    if (isFailing(backoff, now)) {
      return condition(
          "True",
          "BackOff",
          "runners fail ("
              + backoff.failures()
              + " times in a row); new ones are made no earlier than "
              + backoff.notBefore().truncatedTo(ChronoUnit.SECONDS)
              + "; last: "
              + lastFailure);
    }
    return condition("False", "NoFailures", "");
  }

  private static Condition condition(String status, String reason, String message) {
    return new ConditionBuilder()
        .withType(TYPE)
        .withStatus(status)
        .withReason(reason)
        .withMessage(ShortText.of(message, LONGEST_MESSAGE))
        .build();
  }
}

package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerReason;
import java.time.Instant;
import java.util.Set;

/**
 * What keeps a runner from starting.
 *
 * @param condition the condition that is False because of the problem: Scheduled, Started or
 *     Registered
 * @param reason the reason of that condition
 * @param since when this process first saw the problem with this reason
 */
public record StartProblem(ConditionType condition, Reason reason, String message, Instant since) {
  private static final Set<Reason> OF_QUOTA =
      Set.of(
          RunnerReason.WAITS_FOR_QUOTA,
          RunnerReason.POD_OVER_QUOTA,
          RunnerReason.SECRET_OVER_QUOTA);

  /** Whether a quota has no room for the pod or the secret, which is no fault of the runner. */
  public boolean isOfQuota() {
    return OF_QUOTA.contains(reason);
  }

  /** The same problem with the start time of {@code earlier}, if only the message differs. */
  public StartProblem lastingSince(StartProblem earlier) {
    return condition == earlier.condition && reason.word().equals(earlier.reason.word())
        ? new StartProblem(condition, reason, message, earlier.since)
        : this;
  }
}

package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerReason;
import java.time.Instant;

/**
 * What keeps a runner from starting.
 *
 * @param condition the condition that is False because of the problem: Scheduled, Started or
 *     Registered
 * @param reason the reason of that condition
 * @param since when this process first saw the problem with this reason
 */
public record StartProblem(ConditionType condition, Reason reason, String message, Instant since) {
  /** Whether a quota has no room for the pod or the secret, which is no fault of the runner. */
  public boolean isOfQuota() {
    return reason instanceof RunnerReason known && known.isOfQuota();
  }

  /** The same problem with the start time of {@code earlier}, if only the message differs. */
  public StartProblem lastingSince(StartProblem earlier) {
    return condition == earlier.condition && reason.word().equals(earlier.reason.word())
        ? new StartProblem(condition, reason, message, earlier.since)
        : this;
  }
}

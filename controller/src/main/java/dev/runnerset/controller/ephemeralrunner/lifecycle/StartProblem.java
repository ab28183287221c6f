package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.Reason;
import java.time.Instant;

/**
 * What keeps a runner from starting.
 *
 * @param condition the condition that is False for it: Scheduled, Started or Registered
 * @param since when it was first seen with this reason
 */
public record StartProblem(ConditionType condition, Reason reason, String message, Instant since) {

  /** Whether it is the same trouble, however it is worded. */
  public boolean isLike(StartProblem other) {
    return condition == other.condition && reason.word().equals(other.reason.word());
  }

  /** The same with the time at which {@code earlier} began, where that is the same trouble. */
  public StartProblem standingSince(StartProblem earlier) {
    return isLike(earlier) ? new StartProblem(condition, reason, message, earlier.since) : this;
  }
}

package dev.runnerset.controller.ephemeralrunner.lifecycle;

import java.time.Instant;

/**
 * What keeps a runner from starting.
 *
 * @param condition the condition that is False for it: Scheduled, Started or Registered
 * @param reason a stable word
 * @param since when it was first seen with this reason
 */
public record StartProblem(String condition, String reason, String message, Instant since) {

  /** Whether it is the same trouble, however it is worded. */
  public boolean isLike(StartProblem other) {
    return condition.equals(other.condition) && reason.equals(other.reason);
  }

  /** The same with the time at which {@code earlier} began, where that is the same trouble. */
  public StartProblem standingSince(StartProblem earlier) {
    return isLike(earlier) ? new StartProblem(condition, reason, message, earlier.since) : this;
  }
}

package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.controller.timing.Times;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When the job of a failed runner counts as lost (RN18): at the end of the settle window (LV3),
 * since the message about the end of its job may still be on its way. What is pending is read from
 * the status, so that a restart loses no report and repeats none.
 */
public final class LostJobPlanner {
  private LostJobPlanner() {}

  /**
   * Whether the status tells of a runner that failed with a job, and neither of the end of that job
   * nor of its loss.
   */
  public static boolean isPending(ObservedRunner observed) {
    var own = observed.ownStatus();
    var failure = own.failure();
    return own.isTerminal()
        && failure != null
        && failure.jobLostBy() == null
        && observed.observedStatus().jobResult() == null
        && observed.mayHaveJob();
  }

  /**
   * When a pending loss is reported, if no completion comes before; null if none is pending. A mark
   * may come after the end, as when the listener was away: then its completion is on its way, too.
   */
  static @Nullable Instant dueAt(ObservedRunner observed) {
    if (!isPending(observed)) {
      return null;
    }
    var ended = Times.latest(observed.ownStatus().completionTime(), observed.memory().lossSeenAt());
    return ended == null ? observed.now() : ended.plus(Times.SETTLE);
  }

  static Optional<RunnerDecision> decide(ObservedRunner observed) {
    var due = dueAt(observed);
    return due != null && !due.isAfter(observed.now())
        ? Optional.of(RunnerDecision.now(new RunnerAction.ReportLoss()))
        : Optional.empty();
  }
}

package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.timing.Times;
import java.time.Instant;
import java.util.Optional;

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
        && observed.observedStatus().isBusy()
        && observed.observedStatus().jobResult() == null
        && !observed.isJobCompleted();
  }

  /** When a pending loss is reported, if no completion comes before. */
  static RequeueTime dueAt(ObservedRunner observed) {
    return isPending(observed) ? RequeueTime.at(due(observed)) : RequeueTime.NEVER;
  }

  /**
   * A mark may come after the end, as when the listener was away: then its completion is on its
   * way, too.
   */
  private static Instant due(ObservedRunner observed) {
    var ended = Times.latest(observed.ownStatus().completionTime(), observed.memory().lossSeenAt());
    return ended == null ? observed.now() : ended.plus(Times.SETTLE);
  }

  static Optional<RunnerDecision> decide(ObservedRunner observed) {
    return isPending(observed) && !due(observed).isAfter(observed.now())
        ? Optional.of(RunnerDecision.now(new RunnerAction.ReportLoss()))
        : Optional.empty();
  }
}

package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.metrics.LostBy;
import dev.runnerset.controller.timing.Times;
import dev.runnerset.crds.EphemeralRunnerStatus;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * When the job of a failed runner counts as lost (RN18): at the end of the settle window (LV3),
 * since the message about the end of its job may still be on its way. What is pending is read from
 * the status, so that a restart loses no report and repeats none.
 */
public final class LostJobPlanner {
  private LostJobPlanner() {}

  /**
   * The status of a runner that failed with its job, with what the job was lost by; empty if it had
   * none, if the end of the job is known, or if it is reported already.
   */
  public static Optional<EphemeralRunnerStatus> pending(ObservedRunner observed) {
    var own = observed.ownStatus();
    var failure = own.failure();
    var seen = observed.observedStatus();
    if (!own.isTerminal()
        || failure == null
        || failure.jobLostBy() != null
        || !seen.isBusy()
        || seen.jobResult() != null
        || observed.isJobCompleted()) {
      return Optional.empty();
    }
    var cause = LostBy.of(Objects.requireNonNullElse(failure.reason(), ""));
    return Optional.of(own.toBuilder().failure(failure.withJobLostBy(cause.word())).build());
  }

  /** When a pending loss is reported, if no completion comes before. */
  static RequeueTime dueAt(ObservedRunner observed) {
    return pending(observed).isPresent() ? RequeueTime.at(due(observed)) : RequeueTime.NEVER;
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
    return pending(observed)
        .filter(lost -> !due(observed).isAfter(observed.now()))
        .map(RunnerDecision::write);
  }
}

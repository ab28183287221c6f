package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.metrics.RunnerStep;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.RunnersOfSet.Change;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How long a runner had no job: from the start of its container until it got a job, ended without
 * one, or went. The seconds until the service knows the runner are part of it.
 */
record IdleSpan(Instant from, Instant until) {
  /**
   * The span of a runner that is over since the last moment.
   *
   * @param now when a runner went that is not there any more
   * @return null if the span is not over, was over before, or one of its times is not known
   */
  static @Nullable IdleSpan endedBy(Change change, Instant now) {
    var before = change.before();
    var after = change.after();
    var from = StepTimes.at(RunnerStep.STARTED, after == null ? before : after);
    boolean wentWithJob = after == null && before != null && before.busy();
    if (from == null || isOver(before) || wentWithJob) {
      return null;
    }
    var until = after == null ? now : end(after);
    return until == null ? null : new IdleSpan(from, until);
  }

  private static boolean isOver(@Nullable RunnerView view) {
    return view != null && (end(view) != null || view.isEnded());
  }

  /** When it got its job, or ended without one. A job without a known start hides both. */
  private static @Nullable Instant end(RunnerView view) {
    var job = StepTimes.at(RunnerStep.JOB_STARTED, view);
    return job != null || view.busy() ? job : StepTimes.at(RunnerStep.FINISHED, view);
  }
}

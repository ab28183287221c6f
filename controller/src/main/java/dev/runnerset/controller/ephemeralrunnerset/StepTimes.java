package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.metrics.RunnerStep;
import dev.runnerset.controller.removal.RunnerView;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** When a runner took the steps of its life. */
final class StepTimes {
  private StepTimes() {}

  /** When the runner took the step; null if it has not, or if there is no runner. */
  static @Nullable Instant at(RunnerStep step, @Nullable RunnerView view) {
    if (view == null) {
      return null;
    }
    var status = view.resource().statusOrNone();
    var timeline = status.timeline();
    var job = status.job();
    var inStatus = timeline == null ? null : step.in(timeline);
    if (inStatus != null) {
      return inStatus;
    }
    return switch (step) {
      case JOB_STARTED -> job == null ? null : job.startedAt();
      case FINISHED -> view.endedAt();
      case SCHEDULED, STARTED -> null;
    };
  }
}

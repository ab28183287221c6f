package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.RunnerStep;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.removal.Group;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.RunnersOfSet.Change;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.crds.RunnerPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The series of a set that need its runners: how many have failed, and how long they took to each
 * step. A step is observed once; one that was taken before this process began was observed by
 * another.
 *
 * @param begun when the process began
 */
record RunnerSeries(Meters meters, Instant begun) {
  private static final Group FAILED =
      Group.of(r -> r.phase() == RunnerPhase.FAILED || r.phase() == RunnerPhase.OUTDATED);

  void update(SetMoment moment) {
    var set = SetKey.of(moment.set());
    var series = meters.of(set.namespace(), set.name());
    moment.runners().changes().forEach(change -> observe(series, change));
    series.gauge(Meter.FAILED_RUNNERS, moment.count(FAILED));
  }

  private void observe(Meters.Series series, Change change) {
    for (var step : RunnerStep.values()) {
      var at = at(step, change.after());
      if (at != null && at(step, change.before()) == null && !at.isBefore(begun)) {
        var created = Objects.requireNonNull(change.after()).created();
        series.observe(Meter.RUNNER_PHASE, Duration.between(created, at), step.word());
      }
    }
  }

  /** When the runner took the step; null if it has not. */
  private static @Nullable Instant at(RunnerStep step, @Nullable RunnerView view) {
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

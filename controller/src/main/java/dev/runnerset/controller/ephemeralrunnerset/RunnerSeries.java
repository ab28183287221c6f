package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.RunnerStep;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.removal.Group;
import dev.runnerset.controller.removal.RunnersOfSet.Change;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.crds.RunnerPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * The series of a set that need its runners: how many have failed, how long they took to each step,
 * and how long they waited for a job. A step is observed once; one that was taken before this
 * process began was observed by another.
 *
 * @param begun when the process began
 */
record RunnerSeries(Meters meters, Instant begun) {
  private static final Group FAILED =
      Group.of(r -> r.phase() == RunnerPhase.FAILED || r.phase() == RunnerPhase.OUTDATED);

  void update(SetMoment moment) {
    var set = SetKey.of(moment.set());
    var series = meters.of(set.namespace(), set.name());
    for (var change : moment.runners().changes()) {
      observe(series, change);
      var idle = IdleSpan.endedBy(change, moment.now().instant());
      if (idle != null && !idle.until().isBefore(begun)) {
        series.add(Meter.RUNNER_IDLE, Duration.between(idle.from(), idle.until()));
      }
    }
    series.gauge(Meter.FAILED_RUNNERS, moment.count(FAILED));
  }

  private void observe(Meters.Series series, Change change) {
    for (var step : RunnerStep.values()) {
      var at = StepTimes.at(step, change.after());
      if (at != null && StepTimes.at(step, change.before()) == null && !at.isBefore(begun)) {
        var created = Objects.requireNonNull(change.after()).created();
        series.observe(Meter.RUNNER_PHASE, Duration.between(created, at), step.word());
      }
    }
  }
}

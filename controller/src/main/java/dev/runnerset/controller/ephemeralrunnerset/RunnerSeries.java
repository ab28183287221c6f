package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.metrics.RunnerStep;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The series of a set that need its runners: how many have failed, and how long they took to each
 * step. A step is observed once; one that was taken before this process began was observed by
 * another. Thread-safe for different sets.
 */
final class RunnerSeries {
  private final Meters meters;
  private final Instant begun;
  private final Map<SetKey, Map<String, Set<RunnerStep>>> stepsByRunner = new ConcurrentHashMap<>();

  /** The series of a process that began then. */
  RunnerSeries(Meters meters, Instant begun) {
    this.meters = meters;
    this.begun = begun;
  }

  void update(SetMoment moment) {
    var key = SetKey.of(moment.set());
    int failed = 0;
    var before = stepsByRunner.getOrDefault(key, Map.of());
    var now = new HashMap<String, Set<RunnerStep>>();
    for (var view : moment.runners().all().toList()) {
      var runner = view.resource();
      failed += hasFailed(runner) ? 1 : 0;
      var seen = before.getOrDefault(view.uid(), EnumSet.noneOf(RunnerStep.class));
      observe(key, runner, view, seen);
      now.put(view.uid(), seen);
    }
    meters.gauge(Meter.FAILED_RUNNERS, key.namespace(), key.name(), failed);
    if (now.isEmpty()) {
      stepsByRunner.remove(key);
    } else {
      stepsByRunner.put(key, now);
    }
  }

  private static boolean hasFailed(EphemeralRunner runner) {
    var phase = runner.statusOrNone().phase();
    return phase == RunnerPhase.FAILED || phase == RunnerPhase.OUTDATED;
  }

  private void observe(SetKey set, EphemeralRunner runner, RunnerView view, Set<RunnerStep> seen) {
    for (var step : RunnerStep.values()) {
      var at = seen.contains(step) ? null : at(step, runner, view);
      if (at != null) {
        seen.add(step);
        if (!at.isBefore(begun)) {
          var took = Duration.between(view.created(), at);
          meters.observe(
              Meter.RUNNER_PHASE,
              set.namespace(),
              set.name(),
              took.isNegative() ? Duration.ZERO : took, // the creation is cut to seconds
              step.word());
        }
      }
    }
  }

  /** When the runner took the step; null if it has not. */
  private static @Nullable Instant at(RunnerStep step, EphemeralRunner runner, RunnerView view) {
    var status = runner.statusOrNone();
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

package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.controller.ephemeralrunner.outcome.RunnerOutcome;
import dev.runnerset.controller.metrics.DeletedFor;
import dev.runnerset.controller.metrics.LeftOver;
import dev.runnerset.controller.metrics.LostBy;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.metrics.PruneReason;
import dev.runnerset.controller.metrics.RemovalAnswer;
import dev.runnerset.controller.metrics.RunnerStep;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.JobCounts;
import dev.runnerset.crds.RunnerCounts;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The metric series of each runner set. Counters begin with 0 at its first pass, so that the first
 * increase is visible; gauges follow its status; all go with the set. Thread-safe for different
 * sets.
 */
final class RunnerSetSeries {
  private static final JobCounts NO_JOBS = new JobCounts(0, 0, 0);
  private static final RunnerCounts NO_RUNNERS = new RunnerCounts(0, 0, 0, 0, 0, 0, 0);

  private final Meters meters;

  /** The labels of each condition: type, status and reason. */
  private final Map<SetKey, Set<List<String>>> shownBySet = new ConcurrentHashMap<>();

  RunnerSetSeries(Meters meters) {
    this.meters = meters;
  }

  /** Shows the set as its status reports it; cheap if nothing has changed. */
  void show(AutoScalingRunnerSet set) {
    var key = SetKey.of(set);
    var before = shownBySet.get(key);
    if (before == null) {
      begin(key);
      before = Set.of();
    }
    var now =
        set.statusOrNone().conditions().stream()
            .map(c ->
                List.of(c.getType(), c.getStatus(), Objects.requireNonNullElse(c.getReason(), "")))
            .collect(Collectors.toSet());
    shownBySet.put(key, now);
    for (var each : before) {
      if (!now.contains(each)) {
        meters.removeGauge(
            Meter.SET_CONDITION, key.namespace(), key.name(), each.toArray(String[]::new));
      }
    }
    for (var each : now) {
      meters.gauge(
          Meter.SET_CONDITION, key.namespace(), key.name(), 1, each.toArray(String[]::new));
    }
    counts(key, set);
  }

  private void counts(SetKey key, AutoScalingRunnerSet set) {
    var jobs = Objects.requireNonNullElse(set.statusOrNone().jobs(), NO_JOBS);
    var runners = Objects.requireNonNullElse(set.statusOrNone().runners(), NO_RUNNERS);
    var max = set.maxRunnersNow();
    gauge(Meter.ASSIGNED_JOBS, key, jobs.assigned());
    gauge(Meter.RUNNING_JOBS, key, jobs.running());
    gauge(Meter.WAITING_JOBS, key, jobs.waiting());
    gauge(Meter.DESIRED_RUNNERS, key, runners.desired());
    gauge(Meter.MIN_RUNNERS, key, set.minRunnersNow());
    gauge(Meter.MAX_RUNNERS, key, max == null ? Double.NaN : max);
    gauge(Meter.PENDING_RUNNERS, key, runners.pending());
    gauge(Meter.RUNNING_RUNNERS, key, runners.idle() + runners.busy());
    gauge(Meter.STUCK_RUNNERS, key, runners.stuck());
    gauge(Meter.IDLE_RUNNERS, key, runners.idle());
    gauge(Meter.BUSY_RUNNERS, key, runners.busy());
    gauge(Meter.FINISHED_RUNNERS, key, runners.finished());
  }

  private void gauge(Meter meter, SetKey key, double value) {
    meters.gauge(meter, key.namespace(), key.name(), value);
  }

  private void begin(SetKey key) {
    gauge(Meter.FAILED_RUNNERS, key, 0);
    show(Meter.RUNNER_GC_THRASH, key);
    for (var reason : RemovalReason.counted()) {
      show(Meter.RUNNERS_GARBAGE_COLLECTED, key, reason.word());
    }
    for (var result : RemovalAnswer.values()) {
      show(Meter.SCALE_DOWN_REQUESTS, key, result.word());
    }
    for (var reason : DeletedFor.values()) {
      for (var outcome : RunnerOutcome.values()) {
        show(Meter.FINISHED_RUNNERS_DELETED, key, reason.word(), outcome.word());
        show(Meter.FINISHED_RUNNERS_REFUSED, key, reason.word(), outcome.word());
      }
    }
    for (var cause : LostBy.values()) {
      show(Meter.JOBS_LOST, key, cause.word());
    }
    for (var kind : LeftOver.values()) {
      for (var result : LeftOver.Result.values()) {
        show(Meter.LEFT_OVERS, key, kind.word(), result.word());
      }
    }
    for (var reason : PruneReason.values()) {
      show(Meter.ROLLOUT_HISTORY_PRUNED, key, reason.word());
    }
    for (var step : RunnerStep.values()) {
      show(Meter.RUNNER_PHASE, key, step.word());
    }
  }

  private void show(Meter meter, SetKey set, String... values) {
    meters.register(meter, set.namespace(), set.name(), values);
  }

  /** The set no longer exists. */
  void forget(AutoScalingRunnerSet set) {
    var key = SetKey.of(set);
    shownBySet.remove(key);
    meters.forget(key.namespace(), key.name());
  }
}

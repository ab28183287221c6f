package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.controller.hooks.CountedSeries;
import dev.runnerset.controller.metrics.LostBy;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.metrics.RemovalAnswer;
import dev.runnerset.controller.metrics.RunnerStep;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.JobCounts;
import dev.runnerset.crds.RunnerCounts;
import io.fabric8.kubernetes.api.model.Condition;
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
  private final List<CountedSeries> ofFeatures;
  private final Map<SetKey, Set<Shown>> shownBySet = new ConcurrentHashMap<>();

  /**
   * Shows no set yet.
   *
   * @param ofFeatures which series begin with 0 beside those of the core
   */
  RunnerSetSeries(Meters meters, List<CountedSeries> ofFeatures) {
    this.meters = meters;
    this.ofFeatures = ofFeatures;
  }

  /** A condition as its series shows it. */
  private record Shown(String type, String status, String reason) {
    static Shown of(Condition condition) {
      return new Shown(
          condition.getType(),
          condition.getStatus(),
          Objects.requireNonNullElse(condition.getReason(), ""));
    }
  }

  /** Shows the set as its status tells it; cheap if nothing has changed. */
  void show(AutoScalingRunnerSet set) {
    var key = SetKey.of(set);
    var before = shownBySet.get(key);
    if (before == null) {
      begin(key);
      before = Set.of();
    }
    var now = set.statusOrNone().conditions().stream().map(Shown::of).collect(Collectors.toSet());
    shownBySet.put(key, now);
    for (var each : before) {
      if (!now.contains(each)) {
        meters.removeGauge(
            Meter.SET_CONDITION, key.namespace(), key.name(), each.type, each.status, each.reason);
      }
    }
    for (var each : now) {
      meters.gauge(
          Meter.SET_CONDITION, key.namespace(), key.name(), 1, each.type, each.status, each.reason);
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
    for (var reason : RemovalReason.counted()) {
      show(Meter.RUNNERS_GARBAGE_COLLECTED, key, reason.word());
    }
    for (var result : RemovalAnswer.values()) {
      show(Meter.SCALE_DOWN_REQUESTS, key, result.word());
    }
    for (var cause : LostBy.values()) {
      show(Meter.JOBS_LOST, key, cause.word());
    }
    for (var step : RunnerStep.values()) {
      show(Meter.RUNNER_PHASE, key, step.word());
    }
    ofFeatures.forEach(each -> show(each.meter(), key, each.values().toArray(String[]::new)));
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

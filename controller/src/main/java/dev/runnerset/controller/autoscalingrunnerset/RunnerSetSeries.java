package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.controller.gc.SetKey;
import dev.runnerset.controller.history.PruneReason;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.metrics.RemovalAnswer;
import dev.runnerset.controller.metrics.RemovedFor;
import dev.runnerset.crds.AutoScalingRunnerSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The metric series of each runner set: registered with 0 at its first pass, so that the first
 * increase is visible, and removed with the set. Thread-safe.
 */
final class RunnerSetSeries {
  private final Meters meters;
  private final Set<SetKey> shown = ConcurrentHashMap.newKeySet();

  RunnerSetSeries(Meters meters) {
    this.meters = meters;
  }

  /** Registers the series; cheap once they exist. */
  void show(AutoScalingRunnerSet set) {
    var key = SetKey.of(set);
    if (!shown.add(key)) {
      return;
    }
    meters.register(Meter.RUNNER_GC_THRASH, key.namespace(), key.name());
    List.of(RemovedFor.AGE, RemovedFor.CAPACITY, RemovedFor.REVISION)
        .forEach(reason -> show(Meter.RUNNERS_GARBAGE_COLLECTED, key, reason.word()));
    for (var result : RemovalAnswer.values()) {
      show(Meter.SCALE_DOWN_REQUESTS, key, result.word());
    }
    for (var reason : PruneReason.values()) {
      show(Meter.ROLLOUT_HISTORY_PRUNED, key, reason.word());
    }
  }

  private void show(Meter meter, SetKey set, String value) {
    meters.register(meter, set.namespace(), set.name(), value);
  }

  /** The set no longer exists. */
  void forget(AutoScalingRunnerSet set) {
    var key = SetKey.of(set);
    shown.remove(key);
    meters.forget(key.namespace(), key.name());
  }
}

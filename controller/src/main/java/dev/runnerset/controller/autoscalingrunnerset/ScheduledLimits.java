package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.schedule.Limits;
import dev.runnerset.crds.AutoScalingRunnerSetSpec;
import dev.runnerset.crds.ScheduleWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits that hold now, by the schedule of a set. They are kept until they may be others: a
 * burst brings a pass a second, and each look at the calendar takes up to a millisecond.
 */
final class ScheduledLimits {
  /** Sets with the same schedule share an entry. */
  private static final int KEPT = 1_000;

  private final Clocks clocks;
  private final LinkedHashMap<Key, Known> known = new LinkedHashMap<>();

  ScheduledLimits(Clocks clocks) {
    this.clocks = clocks;
  }

  /** What limits follow from, beside the time. */
  private record Key(
      List<ScheduleWindow> schedule, @Nullable Integer minRunners, @Nullable Integer maxRunners) {}

  private record Known(Instant since, Limits limits) {
    boolean holdsAt(Instant now) {
      var until = limits.requeueAt().at();
      return !now.isBefore(since) && (until == null || now.isBefore(until));
    }
  }

  Limits of(AutoScalingRunnerSetSpec spec) {
    if (spec.schedule().isEmpty()) {
      return Limits.withoutSchedule(spec);
    }
    var key = new Key(spec.schedule(), spec.minRunners(), spec.maxRunners());
    var now = clocks.ofSchedules().instant();
    var before = known(key);
    if (before != null && before.holdsAt(now)) {
      return before.limits();
    }
    var limits = Limits.of(spec, now);
    keep(key, new Known(now, limits));
    return limits;
  }

  private synchronized @Nullable Known known(Key key) {
    return known.get(key);
  }

  private synchronized void keep(Key key, Known value) {
    known.remove(key);
    known.put(key, value);
    if (known.size() > KEPT) {
      known.pollFirstEntry();
    }
  }

  /** When a pass is due for these limits. */
  RequeueTime requeueAt(Limits limits) {
    var at = limits.requeueAt().at();
    return at == null
        ? RequeueTime.NEVER
        : RequeueTime.at(
            clocks.now().instant().plus(Duration.between(clocks.ofSchedules().instant(), at)));
  }
}

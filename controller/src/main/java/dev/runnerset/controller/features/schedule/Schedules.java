package dev.runnerset.controller.features.schedule;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.hooks.ConditionRule;
import dev.runnerset.controller.hooks.RunnerSetFacts;
import dev.runnerset.controller.hooks.SetFeature;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.controller.scaling.Limits;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetSpec;
import dev.runnerset.crds.AutoScalingRunnerSetStatusBuilder;
import dev.runnerset.crds.ScheduleWindow;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.RunnerSetReason;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The limits that the schedules of sets set now, and what the status says of them. Limits are kept
 * until they may be others: a burst brings a reconcile a second, and each reading of the calendar
 * takes up to a millisecond. Thread-safe.
 */
public final class Schedules implements SetFeature {
  /** Sets with the same schedule share an entry. */
  private static final int KEPT = 1_000;

  private final Clock ofSchedules;
  private final Clock clock;
  private final LinkedHashMap<Key, Known> known = new LinkedHashMap<>(); // guarded by this

  /**
   * Knows no limits yet.
   *
   * @param ofSchedules the time of windows; a rehearsal has its days pass in seconds
   * @param clock the time of everything else
   */
  public Schedules(Clock ofSchedules, Clock clock) {
    this.ofSchedules = ofSchedules;
    this.clock = clock;
  }

  /** What limits follow from, beside the time. */
  private record Key(
      List<ScheduleWindow> schedule, @Nullable Integer minRunners, @Nullable Integer maxRunners) {}

  private record Known(Instant since, ScheduledLimits limits) {
    boolean holdsAt(Instant now) {
      var until = limits.requeueAt().at();
      return !now.isBefore(since) && (until == null || now.isBefore(until));
    }
  }

  @Override
  public Optional<Limits> limits(AutoScalingRunnerSet set) {
    var spec = set.getSpec();
    if (spec.schedule().isEmpty()) {
      return Optional.empty();
    }
    var now = of(spec);
    return Optional.of(new Limits(now.minRunners(), now.maxRunners(), requeueAt(now)));
  }

  private RequeueTime requeueAt(ScheduledLimits limits) {
    var at = limits.requeueAt().at();
    return at == null
        ? RequeueTime.NEVER
        : RequeueTime.at(clock.instant().plus(Duration.between(ofSchedules.instant(), at)));
  }

  private synchronized ScheduledLimits of(AutoScalingRunnerSetSpec spec) {
    var key = new Key(spec.schedule(), spec.minRunners(), spec.maxRunners());
    var now = ofSchedules.instant();
    var before = known.remove(key);
    var next =
        before != null && before.holdsAt(now)
            ? before
            : new Known(now, ScheduledLimits.of(spec, now));
    known.put(key, next);
    if (known.size() > KEPT) {
      known.pollFirstEntry();
    }
    return next.limits;
  }

  @Override
  public void fill(RunnerSetFacts facts, AutoScalingRunnerSetStatusBuilder status) {
    var spec = facts.set().getSpec();
    boolean none = spec.schedule().isEmpty() || facts.isBeingDeleted();
    status.schedule(none ? null : of(spec).status());
  }

  @Override
  public List<ConditionRule<RunnerSetFacts>> conditions() {
    return List.of(invalid());
  }

  /** Whether windows of spec.schedule cannot be followed as they are written, and which. */
  private ConditionRule<RunnerSetFacts> invalid() {
    return new ConditionRule<>(
        ConditionType.SCHEDULE_INVALID,
        facts -> {
          var spec = facts.set().getSpec();
          var problems = spec.schedule().isEmpty() ? List.<String>of() : of(spec).problems();
          return problems.isEmpty()
              ? Optional.empty()
              : Optional.of(
                  Verdict.yes(RunnerSetReason.INVALID_SCHEDULE, String.join("; ", problems)));
        });
  }
}

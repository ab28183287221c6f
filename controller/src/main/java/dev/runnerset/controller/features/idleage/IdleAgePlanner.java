package dev.runnerset.controller.features.idleage;

import dev.runnerset.base.Pure;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.crds.Demand;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Chooses the idle runners that one sweep removes for their age (AC2, AC3, AC5). */
@Pure
final class IdleAgePlanner {
  /** One in so many idle runners may be removed in a sweep, but at least one. */
  static final int SHARE = 10;

  private static final Comparator<RunnerView> OLDEST_FIRST =
      Comparator.comparing(RunnerView::removalFailed) // a failure is the turn of the next (AC7)
          .thenComparing(RunnerView::waitingSince)
          .thenComparing(RunnerView::name);

  private IdleAgePlanner() {}

  /** How many runners a sweep that begins now may remove. */
  static int bound(AgeSweep sweep, SetMoment moment) {
    int idle = pool(moment).size();
    int missing = idle < sweep.limits().minRunners() ? starting(moment.runners()) : 0;
    return Math.max(0, allowed(idle, moment.demand()) - missing);
  }

  /**
   * The runners that may be removed now, in their order, and how many of them are. Jobs may have
   * taken idle runners since the sweep began: the last one stays then.
   */
  static RemovalPlan plan(AgeSweep sweep, SetMoment moment) {
    var now = moment.now();
    var limits = sweep.limits();
    var pool = pool(moment);
    int most =
        Math.min(
            sweep.leftNow(),
            sweep.begun() == 0
                ? allowed(pool.size(), moment.demand())
                : Math.max(0, pool.size() - 1));
    var old =
        pool.stream()
            .filter(r -> most > 0 && !r.pinned() && r.mayBeAsked(now))
            .filter(r -> r.waitingSince().isBefore(now.minus(limits.maximum()))) // strictly longer
            .filter(r -> !r.created().isAfter(now.minus(limits.minimum()))) // exactly it may go
            .sorted(OLDEST_FIRST)
            .toList();
    return new RemovalPlan(old, most, RemovalReason.AGE, RequeueTime.NEVER);
  }

  /**
   * How many of the idle runners may be removed. The only one is removed only if no job is on its
   * way, since its successor may take a while.
   */
  static int allowed(int idle, @Nullable Demand demand) {
    if (idle == 0 || (idle == 1 && !isEveryJobRunning(demand))) {
      return 0;
    }
    // INVARIANT: from two on this is less than the pool, so that one stays
    return Math.max(1, idle / SHARE);
  }

  /**
   * How many runners may be ready soon. While the pool is too small, they are the successors of
   * runners that were removed before: so at most one sweep's worth of runners is missing at a time,
   * even if successors do not start.
   */
  private static int starting(List<RunnerView> runners) {
    return (int)
        runners.stream()
            .filter(r -> !r.registered() && !r.busy())
            .filter(r -> !r.isEnded() && !r.terminating() && !r.askedToGo())
            .count();
  }

  private static boolean isEveryJobRunning(@Nullable Demand demand) {
    return demand != null
        && demand.assigned() != null
        && demand.assigned() == (demand.running() == null ? 0 : demand.running());
  }

  /** The runners that could take a job of their set now, whose age is known (LV5). */
  private static List<RunnerView> pool(SetMoment moment) {
    return moment.runners().stream()
        .filter(r -> r.isRemovable(moment.now()) && r.isIdle())
        .filter(r -> r.ready() && !r.ofAnotherScaleSet())
        .toList();
  }
}

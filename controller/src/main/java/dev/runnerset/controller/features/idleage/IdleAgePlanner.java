package dev.runnerset.controller.features.idleage;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.removal.Group;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.crds.Demand;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Chooses the idle runners that one sweep removes for their age (AC2, AC3, AC5). */
@Pure
final class IdleAgePlanner {
  /** One in so many idle runners may be removed in a sweep, but at least one. */
  static final int SHARE = 10;

  /** The runners that could take a job of their set now, whose age is known (LV5); oldest first. */
  private static final Group POOL =
      Group.at((r, now) -> r.isIdle() && r.ready() && !r.ofAnotherScaleSet() && r.isRemovable(now))
          .by(Comparator.comparing(RunnerView::waitingSince));

  /** A failure is the turn of the next one (AC7), so each is asked for after all the others. */
  private static final Group FAILED = POOL.and(r -> r.removal().failed());

  private static final Group OTHERS = POOL.and(r -> !r.removal().failed());

  private static final Group STARTING =
      Group.of(r ->
          !r.registered()
              && !r.busy()
              && !r.isEnded()
              && !r.terminating()
              && !r.removal().askedToGo());

  private IdleAgePlanner() {}

  /** How many runners a sweep that begins now may remove. */
  static int bound(AgeSweep sweep, SetMoment moment) {
    int idle = moment.count(POOL);
    // While the pool is too small, runners that start are the successors of those that were removed
    // before: so at most one sweep's worth is missing at a time, even if successors do not start.
    int missing = idle < sweep.limits().minRunners() ? moment.count(STARTING) : 0;
    return Math.max(0, allowed(idle, moment.demand()) - missing);
  }

  /**
   * The runners that may be removed now, in their order, and how many of them are. Jobs may have
   * taken idle runners since the sweep began: the last one stays then.
   */
  static RemovalPlan plan(AgeSweep sweep, SetMoment moment) {
    int idle = moment.count(POOL);
    int most =
        Math.min(
            sweep.leftNow(),
            sweep.begun() == 0 ? allowed(idle, moment.demand()) : Math.max(0, idle - 1));
    var old =
        Stream.of(OTHERS, FAILED)
            .flatMap(group -> old(group, sweep.limits(), moment))
            .limit(most == 0 ? 0 : RemovalPlan.MOST_NAMED)
            .toList();
    return new RemovalPlan(old, most, RemovalReason.AGE);
  }

  private static Stream<RunnerView> old(Group group, AgeSweep.Limits limits, SetMoment moment) {
    var now = moment.now().instant();
    return moment
        .in(group)
        .takeWhile(r -> r.waitingSince().isBefore(now.minus(limits.maximum()))) // strictly longer
        .filter(r -> !r.created().isAfter(now.minus(limits.minimum()))) // exactly it may go
        .filter(r -> !r.pinned() && r.mayBeAsked(moment.now()));
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

  private static boolean isEveryJobRunning(@Nullable Demand demand) {
    return demand != null
        && demand.assigned() != null
        && demand.assigned() == (demand.running() == null ? 0 : demand.running());
  }
}

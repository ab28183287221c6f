package dev.runnerset.controller.gc;

import dev.runnerset.base.Pure;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.crds.Demand;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Chooses the idle runners that one sweep removes for their age (AC2, AC3, AC5). */
@Pure
final class IdleAgePlanner {
  /** One in so many idle runners may be removed in a sweep, but at least one. */
  static final int SHARE = 10;

  /** How many removals may fail in a sweep before the rest is left to the next one. */
  static final int SPARE = 10;

  private static final Comparator<RunnerView> OLDEST_FIRST =
      Comparator.comparing(RunnerView::waitingSince).thenComparing(RunnerView::name);

  private IdleAgePlanner() {}

  /**
   * The runners that may be removed, in their order, and how many of them are: after a removal that
   * failed it is the turn of the next one.
   *
   * @param runners all of the set
   * @param demand as the service says; null while it is unknown
   * @param minRunners how many idle runners the set should have
   * @param maximum runners that are idle for longer are removed; positive
   * @param minimum no younger runner is removed, counted from its creation
   */
  static RemovalPlan choose(
      List<AgedRunner> runners,
      @Nullable Demand demand,
      int minRunners,
      Duration maximum,
      Duration minimum,
      Instant now) {
    var pool = runners.stream().filter(r -> isInPool(r.view(), now)).toList();
    int missing = pool.size() < minRunners ? starting(runners) : 0;
    int allowed = Math.max(0, allowed(pool.size(), demand) - missing);
    var old =
        pool.stream()
            .filter(r -> !r.pinned() && r.view().mayBeAsked(now))
            .filter(r -> r.view().waitingSince().isBefore(now.minus(maximum))) // strictly longer
            .filter(r -> !r.created().isAfter(now.minus(minimum))) // at that age it may
            .map(AgedRunner::view)
            .sorted(OLDEST_FIRST)
            .limit(allowed == 0 ? 0 : (long) allowed + SPARE)
            .toList();
    return new RemovalPlan(
        old, Math.min(allowed, old.size()), RemovalReason.AGE, RequeueTime.NEVER);
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
   * How many of a choice may go in all, by the state of this moment: jobs may have taken idle
   * runners since.
   */
  static int allowedNow(
      RemovalPlan choice, List<AgedRunner> runners, @Nullable Demand demand, Instant now) {
    int idle = (int) runners.stream().filter(r -> isInPool(r.view(), now)).count();
    int gone = (int) choice.candidates().stream().filter(c -> isGone(c, runners)).count();
    return gone + (gone == 0 && idle == 1 ? allowed(idle, demand) : Math.max(0, idle - 1));
  }

  /**
   * How many runners may be ready soon. While the pool is too small, they are the successors of
   * runners that were removed before: so at most one sweep's worth of runners is missing at a time,
   * even if successors do not start.
   */
  private static int starting(List<AgedRunner> runners) {
    return (int)
        runners.stream()
            .map(AgedRunner::view)
            .filter(r -> !r.registered() && !r.busy())
            .filter(r -> !r.isEnded() && !r.terminating() && !r.askedToGo())
            .count();
  }

  private static boolean isGone(RunnerView chosen, List<AgedRunner> runners) {
    Optional<RunnerView> found =
        runners.stream()
            .map(AgedRunner::view)
            .filter(r -> r.uid().equals(chosen.uid()))
            .findFirst();
    return found.isEmpty() || found.get().askedToGo() || found.get().terminating();
  }

  private static boolean isEveryJobRunning(@Nullable Demand demand) {
    return demand != null
        && demand.assigned() != null
        && demand.assigned() == (demand.running() == null ? 0 : demand.running());
  }

  /** Whether a runner could take a job of its set now, has a known age and may be removed (LV5). */
  private static boolean isInPool(RunnerView runner, Instant now) {
    return runner.isRemovable(now)
        && runner.isIdle()
        && runner.ready()
        && !runner.ofAnotherScaleSet();
  }
}

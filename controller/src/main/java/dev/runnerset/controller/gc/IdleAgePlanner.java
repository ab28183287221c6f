package dev.runnerset.controller.gc;

import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.crd.Demand;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Chooses the idle runners that go for their age in one sweep (design 001 R5 to R7). */
final class IdleAgePlanner {
  /** One of so many idle runners may go in a sweep, and one in any case. */
  static final int SHARE = 10;

  private static final Comparator<RunnerView> OLDEST_FIRST =
      Comparator.comparing(RunnerView::idleSince).thenComparing(RunnerView::name);

  private IdleAgePlanner() {}

  /**
   * Those that go, in their order.
   *
   * @param runners all of the set
   * @param demand as the service says; null while it is unknown
   * @param maximum older ones go; positive
   * @param minimum none younger goes, counted from its creation
   */
  static List<RunnerView> choose(
      List<AgedRunner> runners,
      @Nullable Demand demand,
      Duration maximum,
      Duration minimum,
      Instant now) {
    var pool = runners.stream().filter(r -> isInPool(r.view(), now)).toList();
    return pool.stream()
        .filter(r -> !r.pinned() && mayBeAsked(r.view(), now))
        .filter(r -> r.view().idleSince().isBefore(now.minus(maximum))) // strictly longer
        .filter(r -> !r.created().isAfter(now.minus(minimum))) // at that age it may
        .map(AgedRunner::view)
        .sorted(OLDEST_FIRST)
        .limit(allowed(pool.size(), demand))
        .toList();
  }

  /**
   * How many of so many idle runners may go. The only one goes if no job is on its way: its
   * successor may take a while.
   */
  static int allowed(int idle, @Nullable Demand demand) {
    // INVARIANT: from two on the share is smaller than the pool, so that one stays
    return idle == 1 && !isEveryJobRunning(demand) ? 0 : Math.max(1, idle / SHARE);
  }

  private static boolean isEveryJobRunning(@Nullable Demand demand) {
    return demand != null
        && demand.assigned() != null
        && demand.assigned().equals(demand.running() == null ? 0 : demand.running());
  }

  /** Idle by the one predicate, with a known age, and no suspect: it could take a job now. */
  private static boolean isInPool(RunnerView runner, Instant now) {
    return runner.isIdle()
        && runner.ready()
        && !runner.askedToGo()
        && !runner.isBusySuspect(now);
  }

  private static boolean mayBeAsked(RunnerView runner, Instant now) {
    return runner.removalRetryAt() == null || !now.isBefore(runner.removalRetryAt());
  }
}

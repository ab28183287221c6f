package dev.runnerset.controller.gc;

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

/** Chooses the idle runners that go for their age in one sweep (AC2, AC3, AC5). */
final class IdleAgePlanner {
  /** One of so many idle runners may go in a sweep, and one in any case. */
  static final int SHARE = 10;

  /** So many removals may fail in a sweep before it is left to the next. */
  static final int SPARE = 10;

  private static final Comparator<RunnerView> OLDEST_FIRST =
      Comparator.comparing(RunnerView::waitingSince).thenComparing(RunnerView::name);

  private IdleAgePlanner() {}

  /**
   * Those that may go, in their order, and how many do: a removal that fails is another's turn.
   *
   * @param runners all of the set
   * @param demand as the service says; null while it is unknown
   * @param minRunners as many idle ones there are to be
   * @param maximum older ones go; positive
   * @param minimum none younger goes, counted from its creation
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
    return new RemovalPlan(old, Math.min(allowed, old.size()), RemovalReason.AGE, null);
  }

  /**
   * How many of so many idle runners may go. The only one goes if no job is on its way: its
   * successor may take a while.
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
   * Runners that may be ready soon. While the pool is short of them they have the places of those
   * that went before: at most one sweep's worth is missing at any time, whatever keeps successors
   * from coming up.
   */
  private static int starting(List<AgedRunner> runners) {
    return (int)
        runners.stream()
            .map(AgedRunner::view)
            .filter(r -> !r.ready() && !r.isEnded() && !r.terminating() && !r.askedToGo())
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

  /** Removable by the one predicate, and with a known age: it could take a job of its set now. */
  private static boolean isInPool(RunnerView runner, Instant now) {
    return runner.isRemovable(now)
        && runner.isIdle()
        && runner.ready()
        && !runner.ofAnotherScaleSet();
  }
}

package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.timing.Times;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Removes runners whose job is over and whose container does not end, as of a hook that hangs. Such
 * a runner counts as nothing and its place is filled (docs/adr/0004), so no other rule would ever
 * remove it. The service is asked first: if it says that the runner has a job, the runner stays.
 */
@Pure
public final class OverdueExit {
  /** Those that users learn of, the longest exiting one first. */
  public static final Group REPORTED =
      Group.at((r, now) ->
              removedAt(r) != null
                  && now.isPast(r.completionSeenAt(), RemovalTimes.EXIT_REPORTED_AFTER))
          .by(Comparator.comparing(OverdueExit::seenAt));

  /** Those that may be removed now. */
  private static final Group REMOVABLE =
      Group.at((r, now) ->
              now.hasReached(removedAt(r)) && !r.removal().askedToGo() && r.mayBeAsked(now))
          .by(
              Comparator.comparing((RunnerView r) -> r.removal().failed()) // docs/adr/0018
                  .thenComparing(OverdueExit::seenAt));

  private OverdueExit() {}

  /**
   * When a runner is removed unless its container ends before; null if it is not exiting. If no
   * runner is wanted, as while the set is deleted, all ends are settled, since no runner is made in
   * the place of another then.
   */
  public static @Nullable Instant removedAt(RunnerView runner) {
    var seenAt = runner.completionSeenAt();
    var completedIn = runner.completedIn();
    if (seenAt == null || completedIn == null || !runner.isExiting() || runner.terminating()) {
      return null;
    }
    boolean settled = !runner.set().anyWanted() || completedIn <= runner.set().settledUpTo();
    var at =
        seenAt.plus(
            settled ? RemovalTimes.EXIT_REMOVED_AFTER : RemovalTimes.EXIT_REMOVED_UNWEIGHED_AFTER);
    return Times.latest(at, runner.removal().busySuspectUntil(), runner.removal().retryAt());
  }

  /** A plan with all runners that may be removed now. */
  static RemovalPlan plan(SetMoment moment) {
    return moment.hasAny(REPORTED)
        ? RemovalPlan.ofAll(moment.in(REMOVABLE), RemovalReason.EXIT_OVERDUE)
        : RemovalPlan.none(RemovalReason.EXIT_OVERDUE); // users learn of it first
  }

  private static Instant seenAt(RunnerView runner) {
    return Objects.requireNonNullElse(runner.completionSeenAt(), Instant.MAX);
  }
}

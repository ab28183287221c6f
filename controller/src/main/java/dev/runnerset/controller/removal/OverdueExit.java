package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import dev.runnerset.base.RequeueTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Removes runners whose job is over and whose container does not end, as of a hook that hangs. Such
 * a runner counts as nothing and its place is filled (docs/adr/0004), so no other rule would ever
 * remove it. The service is asked first: if it says that the runner has a job, the runner stays.
 */
@Pure
public final class OverdueExit {
  /** Users are told after that; a container ends within seconds after its job. */
  public static final Duration REPORTED_AFTER = Duration.ofMinutes(1);

  /** How long a runner may clean up after its job. */
  public static final Duration REMOVED_AFTER = Duration.ofMinutes(3);

  /**
   * How long a runner waits for its job to be settled: while the job counts as demand, another
   * runner would be made in its place (I9). A listener that is gone must not keep it for ever.
   */
  public static final Duration REMOVED_UNWEIGHED_AFTER = Duration.ofMinutes(10);

  private static final Comparator<RunnerView> LONGEST_FIRST =
      Comparator.comparing(RunnerView::removalFailed) // docs/adr/0018
          .thenComparing(OverdueExit::seenAt)
          .thenComparing(RunnerView::name);

  private OverdueExit() {}

  /**
   * The message up to which the ends of jobs are settled. If no runner is wanted, as while the set
   * is deleted, all ends are, since no runner is made in the place of another then.
   */
  private static long settledUpTo(SetMoment moment) {
    return moment.replicas() == 0 ? Long.MAX_VALUE : moment.demandMessageId();
  }

  /** When a runner is removed unless its container ends before; null if it is not exiting. */
  public static @Nullable Instant removedAt(RunnerView runner, SetMoment moment) {
    var seenAt = runner.completionSeenAt();
    var completedIn = runner.completedIn();
    if (seenAt == null || completedIn == null || !runner.isExiting() || runner.terminating()) {
      return null;
    }
    var patience = completedIn <= settledUpTo(moment) ? REMOVED_AFTER : REMOVED_UNWEIGHED_AFTER;
    return Stream.of(seenAt.plus(patience), runner.busySuspectUntil(), runner.removalRetryAt())
        .flatMap(Stream::ofNullable)
        .max(Comparator.naturalOrder())
        .orElse(null);
  }

  /** A plan with all runners that may be removed now. */
  static RemovalPlan plan(SetMoment moment) {
    var candidates =
        moment.runners().stream()
            .filter(r -> isCandidate(r, moment))
            .sorted(LONGEST_FIRST)
            .toList();
    var changes = moment.runners().stream().flatMap(runner -> changes(runner, moment));
    return RemovalPlan.ofAll(
        candidates, RemovalReason.EXIT_OVERDUE, RequeueTime.firstAfter(moment.now(), changes));
  }

  private static boolean isCandidate(RunnerView runner, SetMoment moment) {
    var at = removedAt(runner, moment);
    return at != null
        && !moment.now().isBefore(at)
        && !runner.askedToGo()
        && runner.mayBeAsked(moment.now());
  }

  /** When users are told of a runner, and when it is removed. */
  private static Stream<Instant> changes(RunnerView runner, SetMoment moment) {
    var removedAt = removedAt(runner, moment);
    return removedAt == null
        ? Stream.empty()
        : Stream.of(seenAt(runner).plus(REPORTED_AFTER), removedAt);
  }

  private static Instant seenAt(RunnerView runner) {
    return runner.completionSeenAt() == null ? Instant.MAX : runner.completionSeenAt();
  }
}

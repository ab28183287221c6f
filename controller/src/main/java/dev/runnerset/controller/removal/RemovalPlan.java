package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runners in the order in which they are removed.
 *
 * @param candidates empty if no runner may be removed now
 * @param wanted at most so many of them are removed
 * @param reason why they are removed
 */
@Pure
public record RemovalPlan(List<RunnerView> candidates, int wanted, RemovalReason reason) {
  /** A plan names no more candidates: few removals begin before the next plan. */
  public static final int MOST_NAMED = 16;

  /** Rejects what must never be chosen. */
  public RemovalPlan {
    candidates = List.copyOf(candidates);
    if (candidates.stream().anyMatch(r -> !mayBeChosen(r, reason))) {
      throw new IllegalArgumentException(
          "I1: a runner with a job, or an ended one, in " + candidates);
    }
  }

  private static boolean mayBeChosen(RunnerView runner, RemovalReason reason) {
    return reason == RemovalReason.EXIT_OVERDUE
        ? runner.isExiting()
        : !runner.busy() && !runner.isEnded();
  }

  /** A plan that removes all of these runners, of many the first ones. */
  public static RemovalPlan ofAll(Stream<RunnerView> runners, RemovalReason reason) {
    var named = runners.limit(MOST_NAMED).toList();
    return new RemovalPlan(named, named.size(), reason);
  }

  /** A plan that removes none. */
  public static RemovalPlan none(RemovalReason reason) {
    return ofAll(Stream.empty(), reason);
  }
}

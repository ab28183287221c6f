package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runners in the order in which they are removed.
 *
 * @param candidates empty if no runner may be removed now
 * @param wanted at most so many of them are removed
 * @param reason why they are removed
 * @param requeueAt the earliest instant at which the choice would differ without an event; null if
 *     there is none
 */
@Pure
public record RemovalPlan(
    List<RunnerView> candidates, int wanted, RemovalReason reason, @Nullable Instant requeueAt) {
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

  /** A plan that removes all of these runners. */
  static RemovalPlan ofAll(
      List<RunnerView> runners, RemovalReason reason, @Nullable Instant requeueAt) {
    return new RemovalPlan(runners, runners.size(), reason, requeueAt);
  }

  /** A plan of surplus runners. */
  public RemovalPlan(List<RunnerView> candidates, int wanted, @Nullable Instant requeueAt) {
    this(candidates, wanted, RemovalReason.SCALE_DOWN, requeueAt);
  }
}

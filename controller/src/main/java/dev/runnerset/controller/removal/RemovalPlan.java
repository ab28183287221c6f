package dev.runnerset.controller.removal;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runners in the order they go; at most {@code wanted} leave.
 *
 * @param reason why they go
 * @param requeueAt the earliest instant at which the choice would differ without an event; null if
 *     there is none
 */
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

  /** Of surplus runners. */
  public RemovalPlan(List<RunnerView> candidates, int wanted, @Nullable Instant requeueAt) {
    this(candidates, wanted, RemovalReason.SCALE_DOWN, requeueAt);
  }
}

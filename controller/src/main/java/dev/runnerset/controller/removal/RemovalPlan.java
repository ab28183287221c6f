package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import dev.runnerset.base.RequeueTime;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runners in the order in which they are removed.
 *
 * @param candidates empty if no runner may be removed now
 * @param wanted at most so many of them are removed
 * @param reason why they are removed
 * @param requeue when the choice would differ without an event
 */
@Pure
public record RemovalPlan(
    List<RunnerView> candidates, int wanted, RemovalReason reason, RequeueTime requeue) {
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
  public static RemovalPlan ofAll(
      List<RunnerView> runners, RemovalReason reason, RequeueTime requeue) {
    return new RemovalPlan(runners, runners.size(), reason, requeue);
  }

  /** A plan that removes none before that instant; null for none before an event. */
  public static RemovalPlan none(RemovalReason reason, @Nullable Instant requeue) {
    return ofAll(List.of(), reason, RequeueTime.at(requeue));
  }
}

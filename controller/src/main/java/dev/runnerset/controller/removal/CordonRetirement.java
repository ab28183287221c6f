package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import dev.runnerset.base.RequeueTime;
import java.time.Instant;
import java.util.List;

/**
 * Removes runners without a job from nodes that are cordoned, so that a drain meets none of them
 * and no job begins where it would hold the drain (SD10). Such a runner counts as live until it was
 * asked to go: then another one is made elsewhere, and none of the others becomes too many. All
 * rules for surplus runners hold: who may be about to get a job waits, and the service is asked
 * first.
 */
@Pure
public final class CordonRetirement {
  private CordonRetirement() {}

  /** Whether the runner may be removed now. */
  static boolean isCandidate(RunnerView runner, Instant now) {
    return runner.onCordonedNode() && RemovalPlanner.isCandidate(runner, now);
  }

  /** A plan with all runners on cordoned nodes that may be removed now. */
  public static RemovalPlan plan(RemovalInput input, Instant now) {
    if (input.runners().stream().noneMatch(RunnerView::onCordonedNode)) {
      return RemovalPlan.ofAll(List.of(), RemovalReason.CORDONED, RequeueTime.NEVER);
    }
    var order = RemovalPlanner.plan(input, now);
    return RemovalPlan.ofAll(
        order.candidates().stream().filter(RunnerView::onCordonedNode).toList(),
        RemovalReason.CORDONED,
        order.requeue());
  }
}

package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import dev.runnerset.base.RequeueTime;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/**
 * Removes runners that must go whatever the target is, as soon as they have no job (SD10): from
 * cordoned nodes, so that a drain meets none of them and no job begins where it would hold the
 * drain, and those that a person marked. Such a runner counts as live until the service agreed:
 * then another one is made, and none of the others becomes too many. All rules for surplus runners
 * hold: who may be about to get a job waits, and the service is asked first.
 */
@Pure
public final class Retirement {
  private Retirement() {}

  /** A plan with all runners of that kind that may be removed now. */
  public static RemovalPlan plan(
      Predicate<RunnerView> kind, RemovalReason reason, RemovalInput input, Instant now) {
    if (input.runners().stream().noneMatch(kind)) {
      return RemovalPlan.ofAll(List.of(), reason, RequeueTime.NEVER);
    }
    var order = RemovalPlanner.plan(input, now);
    var those = order.candidates().stream().filter(kind).toList();
    return RemovalPlan.ofAll(those, reason, order.requeue());
  }
}

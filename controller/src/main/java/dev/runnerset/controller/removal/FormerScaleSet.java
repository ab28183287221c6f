package dev.runnerset.controller.removal;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runners that are registered for a scale set that their set no longer has, as after somebody
 * deleted the scale set at the service. No job of the set comes to such a runner, so it counts as
 * nothing unless it runs a job, and all of them go at once, without steps. The service is asked
 * first: a runner that has a job in truth is refused, and stays. Pure.
 */
public final class FormerScaleSet {
  private FormerScaleSet() {}

  /** Whether it may be removed now. */
  static boolean isCandidate(RunnerView runner, Instant now) {
    return runner.ofAnotherScaleSet() && RemovalPlanner.isCandidate(runner, now);
  }

  /** All that may be removed now; null when none may. */
  public static @Nullable RemovalPlan plan(List<RunnerView> runners, Instant now) {
    var useless =
        runners.stream().filter(r -> isCandidate(r, now)).sorted(RemovalOrder.FIRST_TO_GO).toList();
    return useless.isEmpty()
        ? null
        : new RemovalPlan(useless, useless.size(), RemovalReason.FORMER_SCALE_SET, null);
  }
}

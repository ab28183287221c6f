package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import dev.runnerset.base.RequeueTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * Removes runners that are registered for a scale set that their set no longer has, as after
 * somebody deleted the scale set at the service. No job of the set comes to such a runner, so it
 * counts as nothing unless it runs a job, and all of them are removed. The service is asked first:
 * if it says that a runner has a job, that runner stays.
 */
@Pure
public final class FormerScaleSet {
  private FormerScaleSet() {}

  /** A plan with all runners that may be removed now. */
  public static RemovalPlan plan(List<RunnerView> runners, Instant now) {
    var candidates =
        runners.stream()
            .filter(r -> r.ofAnotherScaleSet() && RemovalPlanner.isCandidate(r, now))
            .sorted(RemovalOrder.FIRST_TO_GO)
            .toList();
    return RemovalPlan.ofAll(
        candidates,
        RemovalReason.FORMER_SCALE_SET,
        RequeueTime.firstAfter(now, runners.stream().flatMap(FormerScaleSet::changes)));
  }

  private static Stream<Instant> changes(RunnerView runner) {
    return runner.ofAnotherScaleSet() ? Stream.ofNullable(runner.removalRetryAt()) : Stream.empty();
  }
}

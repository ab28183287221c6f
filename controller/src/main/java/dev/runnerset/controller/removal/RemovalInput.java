package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.Demand;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a choice among surplus runners depends on.
 *
 * @param runners all runners of the set; those of another scale set are left out, since they are no
 *     surplus, and the service's counts know nothing of them
 * @param surplus how many are too many; positive
 * @param demand the service's counts, null when none were heard
 * @param removedSinceObserved running runners that were removed after {@code demand.observedAt}
 * @param protectionWindow for how long a runner that just became idle is spared while a job is on
 *     its way
 */
@Pure
public record RemovalInput(
    List<RunnerView> runners,
    int surplus,
    @Nullable Demand demand,
    int removedSinceObserved,
    Duration protectionWindow) {
  /** Leaves out the runners of another scale set. */
  public RemovalInput {
    runners = runners.stream().filter(r -> !r.ofAnotherScaleSet()).toList();
  }
}

package dev.runnerset.controller.removal;

import dev.runnerset.crd.Demand;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a choice among surplus runners depends on.
 *
 * @param runners all runners of the set
 * @param surplus how many are too many; positive
 * @param demand the service's counts, null when none were heard
 * @param removedSinceObserved running runners that were removed after {@code demand.observedAt}
 * @param protectionWindow for how long a runner that just became idle is spared while a job is on
 *     its way
 */
public record RemovalInput(
    List<RunnerView> runners,
    int surplus,
    @Nullable Demand demand,
    int removedSinceObserved,
    Duration protectionWindow) {
  /** Copies the runners. */
  public RemovalInput {
    runners = List.copyOf(runners);
  }
}

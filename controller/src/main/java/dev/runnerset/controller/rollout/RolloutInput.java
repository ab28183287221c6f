package dev.runnerset.controller.rollout;

import dev.runnerset.controller.removal.RemovalInput;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.crds.Demand;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the replacing of a set's runners depends on.
 *
 * @param runners all runners of the set, of whatever revision
 * @param replicas how many there should be
 * @param maxRunners how many there may be; null when unknown, which leaves no room beside replicas
 * @param demand the service's counts, null when unknown: nothing is removed then
 * @param heldUntil no runner may be made before: replacements would not come; null for no such time
 * @param failingUntil until when failures of runners of the new revision count; null for none
 */
public record RolloutInput(
    List<RunnerView> runners,
    int replicas,
    @Nullable Integer maxRunners,
    long demandMessageId,
    @Nullable Demand demand,
    @Nullable Instant heldUntil,
    @Nullable Instant failingUntil,
    int removedSinceObserved,
    Duration protectionWindow) {
  /** Copies the runners. */
  public RolloutInput {
    runners = List.copyOf(runners);
  }

  RemovalInput removal(int wanted) {
    return new RemovalInput(runners, wanted, demand, removedSinceObserved, protectionWindow);
  }
}

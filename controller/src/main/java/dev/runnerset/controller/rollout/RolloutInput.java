package dev.runnerset.controller.rollout;

import dev.runnerset.controller.removal.RemovalInput;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.scaling.ReplicasTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the replacing of a set's runners depends on.
 *
 * @param runners all runners of the set, of whatever revision
 * @param target how many there should be; nothing is removed while its demand is unknown
 * @param heldUntil no replacement can be made before; null if one can be made now
 * @param failingUntil until when failures of runners of the new revision count; null for none
 * @param removedSinceObserved running runners that were removed after the demand was observed
 * @param protectionWindow how long a runner that just became idle is spared (SD2)
 */
public record RolloutInput(
    List<RunnerView> runners,
    ReplicasTarget target,
    @Nullable Instant heldUntil,
    @Nullable Instant failingUntil,
    int removedSinceObserved,
    Duration protectionWindow) {
  /** Copies the runners. */
  public RolloutInput {
    runners = List.copyOf(runners);
  }

  RemovalInput removal(int wanted) {
    return new RemovalInput(
        runners, wanted, target.demand(), removedSinceObserved, protectionWindow);
  }
}

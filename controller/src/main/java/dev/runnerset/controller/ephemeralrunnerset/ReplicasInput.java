package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.removal.OverdueExit;
import dev.runnerset.controller.removal.RemovalBudget;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.scaling.ReplicasTarget;
import dev.runnerset.crds.Demand;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that the making and the removing of a set's runners depends on, at one moment.
 *
 * @param runners all runners of the set
 */
@Pure
record ReplicasInput(
    ReplicasTarget target, List<RunnerView> runners, Creation creation, Removal removal) {
  ReplicasInput {
    runners = List.copyOf(runners);
  }

  /**
   * What the making of runners depends on.
   *
   * @param held whether no runner may be made at all, as of a refused version
   * @param reservedPlaces places that stay empty after age collection, until the target says so
   */
  record Creation(CreationBackoff backoff, boolean held, int reservedPlaces) {}

  /**
   * What the removing of runners depends on.
   *
   * @param surplusSince since when there were too many runners, as the last plan said; null if
   *     there were not
   * @param passRunning whether surplus runners are being removed right now
   * @param removedSinceObserved running runners that were removed after the demand was observed
   * @param protectionWindow how long a runner that just became idle is spared (SD2)
   * @param delivered the highest resourceVersion that the watch of the runners has brought
   */
  record Removal(
      @Nullable Instant surplusSince,
      boolean passRunning,
      int removedSinceObserved,
      RemovalBudget budget,
      Duration protectionWindow,
      long delivered) {
    Removal withSurplusSince(@Nullable Instant since) {
      return new Removal(
          since, passRunning, removedSinceObserved, budget, protectionWindow, delivered);
    }
  }

  int replicas() {
    return target.replicas();
  }

  long demandMessageId() {
    return target.demandMessageId();
  }

  @Nullable Demand demand() {
    return target.demand();
  }

  /** As {@link OverdueExit#weighed} says. */
  long weighed() {
    return OverdueExit.weighed(replicas(), demandMessageId());
  }
}

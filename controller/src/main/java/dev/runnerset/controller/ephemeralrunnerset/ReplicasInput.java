package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.gc.AgeSweep;
import dev.runnerset.controller.removal.OverdueExit;
import dev.runnerset.controller.removal.RemovalInput;
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
   * @param reservedPlaces places that age collection leaves empty and the target does not reckon
   *     with yet; 0 for none
   */
  record Creation(CreationBackoff backoff, boolean held, int reservedPlaces) {}

  /**
   * What the removing of runners depends on.
   *
   * @param surplusSince since when there were too many runners, as the last plan said; null if
   *     there were not
   * @param free how many removals may begin now
   * @param freeAt when more may begin without the end of another one; null if that is not known
   * @param removedSinceObserved running runners that were asked to go after the demand was observed
   * @param protectionWindow how long a runner that just became idle is spared (SD2)
   * @param delivered the highest resourceVersion that the watch of the runners has brought
   * @param sweep the sweep of age collection under way; null for none
   */
  record Removal(
      @Nullable Instant surplusSince,
      int free,
      @Nullable Instant freeAt,
      int removedSinceObserved,
      Duration protectionWindow,
      long delivered,
      @Nullable AgeSweep sweep) {}

  int replicas() {
    return target.replicas();
  }

  long demandMessageId() {
    return target.demandMessageId();
  }

  @Nullable Demand demand() {
    return target.demand();
  }

  /** As {@link OverdueExit#settledUpTo} says. */
  long settledUpTo() {
    return OverdueExit.settledUpTo(replicas(), demandMessageId());
  }

  /** The input of a choice of so many runners. */
  RemovalInput removing(int wanted) {
    return new RemovalInput(
        runners, wanted, demand(), removal.removedSinceObserved(), removal.protectionWindow());
  }
}

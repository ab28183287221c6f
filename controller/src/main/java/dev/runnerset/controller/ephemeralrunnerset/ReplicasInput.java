package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.removal.OverdueExit;
import dev.runnerset.controller.removal.RemovalBudget;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.crds.Demand;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the making and the removing of a set's runners depends on.
 *
 * @param replicas how many there should be
 * @param maxRunners how many a rollout may make in all; null when unknown
 * @param demandMessageId the message that this number reckons with; ends told by it are settled
 * @param demand the service's counts, null when unknown, which is not zero
 * @param surplusSince since when there were too many runners, as the last plan said; null for never
 * @param passRunning whether surplus runners are being removed right now
 * @param creationHeld whether runners must not be made at all, as of a refused version
 */
record ReplicasInput(
    int replicas,
    @Nullable Integer maxRunners,
    long demandMessageId,
    @Nullable Demand demand,
    List<RunnerView> runners,
    @Nullable Instant surplusSince,
    boolean passRunning,
    int removedSinceObserved,
    RemovalBudget removalBudget,
    CreationBackoff creationBackoff,
    boolean creationHeld,
    Duration protectionWindow) {
  ReplicasInput {
    runners = List.copyOf(runners);
  }

  /** As {@link OverdueExit#weighed} says. */
  long weighed() {
    return OverdueExit.weighed(replicas, demandMessageId);
  }
}

package dev.runnerset.controller.scaling;

import dev.runnerset.crds.Demand;
import org.jspecify.annotations.Nullable;

/**
 * How many runners an EphemeralRunnerSet is to have, and from which demand that follows.
 *
 * @param replicas how many there should be
 * @param maxRunners how many a rollout may make in all; null if unknown, which leaves no room
 * @param demandMessageId the message that {@code replicas} reckons with; ends told by it are
 *     settled
 * @param demand the service's counts; null if unknown, which is not zero
 */
public record ReplicasTarget(
    int replicas, @Nullable Integer maxRunners, long demandMessageId, @Nullable Demand demand) {
  /** Whether the number of assigned jobs is known. */
  public boolean isDemandKnown() {
    return demand != null && demand.assigned() != null;
  }
}

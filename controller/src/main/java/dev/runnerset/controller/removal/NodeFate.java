package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is to become of the node of a runner (SD10).
 *
 * @param leaveFrom from when on the runner is to leave it; null if it may stay: then the node
 *     stays, or the runner tolerates what its node has
 * @param taint the key of the taint that announces the end of the node; null without one
 * @param endsFrom from when on that taint counts; null without one
 * @param candidate whether the cluster autoscaler considers to remove the node (SD3)
 */
@Pure
public record NodeFate(
    @Nullable Instant leaveFrom,
    @Nullable String taint,
    @Nullable Instant endsFrom,
    boolean candidate) {
  /** The node stays, or is not known. */
  public static final NodeFate STAYS = new NodeFate(null, null, null, false);
}

package dev.runnerset.controller.rollout;

import dev.runnerset.controller.removal.RemovalPlan;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a rollout does now.
 *
 * @param surge how many runners there should be beyond {@code replicas}, so that no warm one is
 *     missing
 * @param removal old runners that are removed now; null if none are
 * @param requeueAt the earliest instant at which the plan would differ without an event
 */
public record RolloutPlan(int surge, @Nullable RemovalPlan removal, @Nullable Instant requeueAt) {
  /** The plan while no runner is of another revision. */
  static final RolloutPlan NONE = new RolloutPlan(0, null, null);
}

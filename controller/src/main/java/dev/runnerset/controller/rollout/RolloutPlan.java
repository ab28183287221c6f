package dev.runnerset.controller.rollout;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.removal.RemovalPlan;
import org.jspecify.annotations.Nullable;

/**
 * What a rollout does now.
 *
 * @param surge how many runners there should be beyond {@code replicas}, so that no warm one is
 *     missing
 * @param removal old runners that are removed now; null if none are
 * @param requeue when the plan would differ without an event
 */
public record RolloutPlan(int surge, @Nullable RemovalPlan removal, RequeueTime requeue) {
  /** The plan while no runner is of another revision. */
  static final RolloutPlan NONE = new RolloutPlan(0, null, RequeueTime.NEVER);
}

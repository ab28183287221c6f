package dev.runnerset.controller.rollout;

import dev.runnerset.controller.removal.RemovalPlan;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a rollout does now.
 *
 * @param surge runners there should be beside {@code replicas}, so that none is missed meanwhile
 * @param removal old runners that go now; null when none do
 * @param requeueAt the earliest instant at which the plan would differ without an event
 */
public record RolloutPlan(int surge, @Nullable RemovalPlan removal, @Nullable Instant requeueAt) {
  /** Nothing is of another revision. */
  static final RolloutPlan NONE = new RolloutPlan(0, null, null);
}

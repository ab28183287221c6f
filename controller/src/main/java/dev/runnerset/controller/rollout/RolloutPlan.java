package dev.runnerset.controller.rollout;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerView;
import java.util.List;

/**
 * What a rollout does now.
 *
 * @param surge how many runners there should be beyond {@code replicas}, so that no warm one is
 *     missing
 * @param removal old runners that are removed now, and when the plan would differ without an event
 */
public record RolloutPlan(int surge, RemovalPlan removal) {
  /** The plan while no runner is of another revision. */
  static final RolloutPlan NONE = new RolloutPlan(0, List.of(), RequeueTime.NEVER);

  RolloutPlan(int surge, List<RunnerView> old, RequeueTime requeue) {
    this(surge, new RemovalPlan(old, old.size(), RemovalReason.REVISION, requeue));
  }
}

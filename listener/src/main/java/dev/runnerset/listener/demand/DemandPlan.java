package dev.runnerset.listener.demand;

import dev.runnerset.base.RequeueTime;
import java.util.List;

/**
 * What to do, and the state once it is done.
 *
 * @param steps in order, each complete before the next begins; the actions of one step may go in
 *     parallel
 * @param next the state after all steps
 * @param requeueAt when {@link MessagePlanner#tick} would find something to do, at the earliest
 */
public record DemandPlan(List<List<DemandAction>> steps, DemandState next, RequeueTime requeueAt) {
  /** Leaves out empty steps. */
  public DemandPlan {
    steps = steps.stream().filter(step -> !step.isEmpty()).map(List::copyOf).toList();
  }

  /** All actions in order. */
  public List<DemandAction> actions() {
    return steps.stream().flatMap(List::stream).toList();
  }
}

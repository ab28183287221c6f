package dev.runnerset.listener.demand;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to do, and the state once it is done.
 *
 * @param steps in order, each complete before the next begins; the actions of one step may go in
 *     parallel
 * @param next the state after all steps
 * @param requeueAt the earliest instant at which {@link MessagePlanner#tick} would find something
 *     to do, or null
 */
public record DemandPlan(
    List<List<DemandAction>> steps, DemandState next, @Nullable Instant requeueAt) {
  /** Leaves out empty steps. */
  public DemandPlan {
    steps = steps.stream().filter(step -> !step.isEmpty()).map(List::copyOf).toList();
  }

  /** All actions in order. */
  public List<DemandAction> actions() {
    return steps.stream().flatMap(List::stream).toList();
  }
}

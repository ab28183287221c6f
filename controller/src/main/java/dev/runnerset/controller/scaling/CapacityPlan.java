package dev.runnerset.controller.scaling;

import dev.runnerset.crds.RunnerMode;
import dev.runnerset.crds.condition.RunnerSetReason;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs the set offers to take, running ones included, and what holds that number down.
 *
 * @param limitedBy null while nothing does
 */
public record CapacityPlan(int advertised, @Nullable LimitedBy limitedBy) {

  /** What holds the capacity down; the word in the status. */
  public enum LimitedBy {
    /** All runners that the set may have are assigned. */
    MAX_RUNNERS(RunnerSetReason.MAX_RUNNERS),
    /** {@code mode: Paused}. */
    PAUSED(RunnerSetReason.PAUSED),
    /** {@code mode: Drained}. */
    DRAINED(RunnerSetReason.DRAINED),
    /** The set is being deleted. */
    DELETED(RunnerSetReason.DELETED);

    private final RunnerSetReason reason;

    LimitedBy(RunnerSetReason reason) {
      this.reason = reason;
    }

    /** The reason in the status. */
    public RunnerSetReason reason() {
      return reason;
    }
  }

  /** The plan for a set (DM6). */
  public static CapacityPlan of(ScalingInput input) {
    if (input.beingDeleted()) {
      return new CapacityPlan(0, LimitedBy.DELETED);
    }
    if (input.mode() == RunnerMode.PAUSED) {
      return new CapacityPlan(0, LimitedBy.PAUSED);
    }
    if (input.mode() == RunnerMode.DRAINED) {
      return new CapacityPlan(0, LimitedBy.DRAINED);
    }
    boolean full = DesiredRunners.assigned(input) >= input.maxRunners();
    return new CapacityPlan(input.maxRunners(), full ? LimitedBy.MAX_RUNNERS : null);
  }
}

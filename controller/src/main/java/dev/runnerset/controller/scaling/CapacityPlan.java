package dev.runnerset.controller.scaling;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSet;
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
    /** All runners that the set may have are assigned, and more jobs wait. */
    MAX_RUNNERS(RunnerSetReason.MAX_RUNNERS),
    /** A quota of the namespace forbids further pods. */
    QUOTA(RunnerSetReason.QUOTA),
    /** No node takes further pods. */
    UNSCHEDULABLE(RunnerSetReason.UNSCHEDULABLE),
    /** Runners end before they get a job. */
    FAILING(RunnerSetReason.FAILING),
    /** Something else keeps runners from starting. */
    NOT_STARTING(RunnerSetReason.NOT_STARTING),
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

  /**
   * The plan for a set (DM6).
   *
   * @param ers null if the set has none yet
   */
  public static CapacityPlan of(
      AutoScalingRunnerSet set, int maxRunners, @Nullable EphemeralRunnerSet ers) {
    if (set.isMarkedForDeletion()) {
      return new CapacityPlan(0, LimitedBy.DELETED);
    }
    return switch (set.modeNow()) {
      case PAUSED -> new CapacityPlan(0, LimitedBy.PAUSED);
      case DRAINED -> new CapacityPlan(0, LimitedBy.DRAINED);
      case ACTIVE ->
          new CapacityPlan(maxRunners, isFull(maxRunners, ers) ? LimitedBy.MAX_RUNNERS : null);
    };
  }

  /** Whether no place is left and a job waits for one, as far as the listener reports such jobs. */
  private static boolean isFull(int maxRunners, @Nullable EphemeralRunnerSet ers) {
    int assigned = ers == null ? 0 : ers.assigned();
    var demand = ers == null ? null : ers.knownDemand();
    boolean waits =
        demand == null
            || demand.available() == null
            || demand.available() > 0
            || maxRunners == 0
            || assigned > maxRunners;
    return assigned >= maxRunners && waits;
  }

  /**
   * The same where something keeps runners from starting: that limits the set before {@code
   * maxRunners} does, and after what the user asked for.
   *
   * @param hindrance null for none
   */
  public CapacityPlan hinderedBy(@Nullable LimitedBy hindrance) {
    return hindrance != null && (limitedBy == null || limitedBy == LimitedBy.MAX_RUNNERS)
        ? new CapacityPlan(advertised, hindrance)
        : this;
  }
}

package dev.runnerset.controller.scaling;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.condition.RunnerSetReason;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs the set offers to take, running ones included, and what holds that number down.
 *
 * @param limitedBy null while nothing does
 * @param why what the term says that leaves the fewest places; null if only {@code maxRunners}
 *     bounds the number
 */
public record CapacityPlan(
    int advertised, @Nullable LimitedBy limitedBy, @Nullable CapacityLimit why) {

  /** What holds the capacity down; the word in the status. */
  public enum LimitedBy {
    /** All runners that the set may have are assigned, and more jobs wait. */
    MAX_RUNNERS(RunnerSetReason.MAX_RUNNERS),
    /** A quota of the namespace forbids further pods. */
    QUOTA(RunnerSetReason.QUOTA),
    /** As many runners were made in the last minute as the user allows. */
    STARTS_PER_MINUTE(RunnerSetReason.STARTS_PER_MINUTE),
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

    /** Whether it bounds a set that takes jobs, and not what the user asked for. */
    boolean isLimitOfRoom() {
      return this != PAUSED && this != DRAINED && this != DELETED;
    }

    /** Whether runners find no place, or do not start. */
    public boolean isOfPlacement() {
      return this == UNSCHEDULABLE || this == FAILING || this == NOT_STARTING;
    }

    /**
     * Whether no runner is made beyond it, not even for a job that is assigned. Of runners that
     * fail the backoff says when the next one is made (RN10).
     */
    public boolean boundsStarts() {
      return this == UNSCHEDULABLE || this == NOT_STARTING;
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
      AutoScalingRunnerSet set,
      int maxRunners,
      RunnerPlaces places,
      @Nullable EphemeralRunnerSet ers) {
    if (set.isMarkedForDeletion()) {
      return new CapacityPlan(0, LimitedBy.DELETED, null);
    }
    return switch (set.modeNow()) {
      case PAUSED -> new CapacityPlan(0, LimitedBy.PAUSED, null);
      case DRAINED -> new CapacityPlan(0, LimitedBy.DRAINED, null);
      case ACTIVE -> active(maxRunners, places, ers);
    };
  }

  private static CapacityPlan active(
      int maxRunners, RunnerPlaces places, @Nullable EphemeralRunnerSet ers) {
    var least = places.enforced();
    int number = RunnerPlaces.number(maxRunners, least, ers == null ? 0 : ers.assigned());
    var why = least == null ? null : places.tightest().orElse(null);
    var by = why == null ? LimitedBy.MAX_RUNNERS : why.by();
    int bound = least == null ? maxRunners : Math.min(maxRunners, least);
    return new CapacityPlan(number, isFull(bound, ers) ? by : null, why);
  }

  /** Whether no place is left and a job waits for one, as far as the listener reports such jobs. */
  private static boolean isFull(int places, @Nullable EphemeralRunnerSet ers) {
    int assigned = ers == null ? 0 : ers.assigned();
    var demand = ers == null ? null : ers.knownDemand();
    boolean waits =
        demand == null
            || demand.available() == null
            || demand.available() > 0
            || places == 0
            || assigned > places;
    return assigned >= places && waits;
  }

  /**
   * The same where something keeps runners from starting: that limits the set before {@code
   * maxRunners} or a term does, and after what the user asked for.
   *
   * @param hindrance null for none
   */
  public CapacityPlan hinderedBy(@Nullable LimitedBy hindrance) {
    return hindrance != null && (limitedBy == null || limitedBy.isLimitOfRoom())
        ? new CapacityPlan(advertised, hindrance, why)
        : this;
  }
}

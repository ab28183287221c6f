package dev.runnerset.controller.scaling;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSet;
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

package dev.runnerset.controller.features.capacity;

import dev.runnerset.controller.scaling.CapacityLimit;
import java.util.Optional;

/**
 * All that the terms of the capacity of one set are computed from, at one moment.
 *
 * @param quotas empty if no quota is to bound the set, or none can be read
 * @param placement what {@link PlacementPlanner} leaves; empty while runners find their places
 * @param starts empty if the user sets no limit of starts
 */
public record CapacityMoment(
    Optional<QuotaFacts> quotas, Optional<CapacityLimit> placement, Optional<StartFacts> starts) {
  /**
   * How many runners may start.
   *
   * @param perMinute the limit
   * @param live how many runners the set has that have not ended
   */
  public record StartFacts(int perMinute, int live, StartTokens tokens) {}
}

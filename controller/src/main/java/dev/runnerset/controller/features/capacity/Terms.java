package dev.runnerset.controller.features.capacity;

import dev.runnerset.controller.scaling.CapacityLimit;
import java.util.List;

/** The terms of the capacity. Of several that leave equally few places, the first one is named. */
public final class Terms {
  private static final List<CapacityTerm> IN_ORDER =
      List.of(
          new QuotaTerm(), // room in the quotas of the namespace
          new PlacementTerm(), // places on nodes
          new StartsTerm()); // starts a minute

  private Terms() {}

  /**
   * What the terms leave, in their order.
   *
   * @param maxRunners what leaves as many, or more, is no limit
   */
  public static List<CapacityLimit> limits(CapacityMoment moment, int maxRunners) {
    return IN_ORDER.stream()
        .flatMap(term -> term.limit(moment).stream())
        .filter(limit -> limit.places() < maxRunners)
        .toList();
  }
}

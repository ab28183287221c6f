package dev.runnerset.controller.features.capacity;

import dev.runnerset.controller.scaling.CapacityLimit;
import java.util.Optional;

/** Places on nodes, as far as runners show that there are no more (DM15). */
final class PlacementTerm implements CapacityTerm {
  @Override
  public Optional<CapacityLimit> limit(CapacityMoment moment) {
    return moment.placement();
  }
}

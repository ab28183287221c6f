package dev.runnerset.controller.features.places;

import dev.runnerset.controller.features.capacity.OwnWindow;
import dev.runnerset.controller.features.capacity.Placement;
import dev.runnerset.controller.features.capacity.RoomTotal;
import dev.runnerset.controller.features.capacity.RunnerCost;
import dev.runnerset.controller.features.capacity.StartTokens;
import dev.runnerset.controller.features.capacity.Waits;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.scaling.CapacityLimit;
import dev.runnerset.controller.scaling.CapacityPacing;
import dev.runnerset.controller.scaling.RunnerPlaces;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of one set between two looks at its places.
 *
 * @param ofQuotas null while no quota is to bound the set
 * @param placement what is known of runners that find no place
 * @param starts null while no limit of starts is set
 * @param pacing of the number that is out
 * @param places as they were found last
 */
record SetState(
    SetKey key,
    int maxRunners,
    @Nullable OfQuotas ofQuotas,
    Placement placement,
    @Nullable Starts starts,
    CapacityPacing pacing,
    RunnerPlaces places) {
  /** What the quotas left; null if none counted a runner. */
  @Nullable RoomTotal total() {
    return ofQuotas == null ? null : ofQuotas.total();
  }

  /** How many runners it could have if quotas left room for all. */
  int most() {
    return places.limits().stream()
        .filter(limit -> limit.by().isOfPlacement())
        .mapToInt(CapacityLimit::places)
        .reduce(maxRunners, Math::min);
  }

  /**
   * The same after the terms were computed.
   *
   * @param total null if no quota is to bound the set
   */
  SetState with(@Nullable RoomTotal total, CapacityPacing next, RunnerPlaces found) {
    var of =
        ofQuotas == null
            ? null
            : new OfQuotas(
                ofQuotas.revision(),
                ofQuotas.cost(),
                ofQuotas.answered(),
                ofQuotas.own(),
                total,
                ofQuotas.waits());
    return new SetState(key, maxRunners, of, placement, starts, next, found);
  }

  /**
   * What quotas are judged by.
   *
   * @param revision of the runners that are made now
   * @param answered whether a pod of that revision said what it takes
   * @param total what the quotas leave; null if none counts a runner
   * @param waits what the set would have runners for
   */
  record OfQuotas(
      String revision,
      RunnerCost cost,
      boolean answered,
      OwnWindow own,
      @Nullable RoomTotal total,
      Waits waits) {}

  /**
   * The starts of the last minute.
   *
   * @param counted the uids of the runners that were counted and are still there
   */
  record Starts(StartTokens tokens, Set<String> counted) {
    /** Takes a copy. */
    Starts {
      counted = Set.copyOf(counted);
    }
  }
}

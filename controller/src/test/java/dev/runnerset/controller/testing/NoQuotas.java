package dev.runnerset.controller.testing;

import dev.runnerset.controller.features.places.CapacityFeature;
import dev.runnerset.controller.features.places.OwnRunners;
import dev.runnerset.controller.features.places.PlacementGathering;
import dev.runnerset.controller.features.places.PodEvents;
import dev.runnerset.controller.hooks.RunnersReports;
import dev.runnerset.controller.memory.Memories;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Namespaces without quotas. */
public final class NoQuotas {
  private NoQuotas() {}

  /** What bounds a set there. */
  public static CapacityFeature feature(Clock clock) {
    return new CapacityFeature(
        new CapacityFeature.Ports(
            namespace -> Optional.of(List.of()),
            new OwnRunners.Caches(
                set -> Stream.empty(), runner -> Optional.empty(), new Memories()),
            noEvents(clock),
            set -> Optional.empty(),
            set -> Optional.empty(),
            new Memories(),
            set -> {},
            clock));
  }

  /** Nothing is reported about pods. */
  public static PlacementGathering noEvents(Clock clock) {
    return new PlacementGathering(
        new PodEvents(namespace -> List.of(), Runnable::run, clock), new RunnersReports(), false);
  }
}

package dev.runnerset.controller.features.capacity;

import dev.runnerset.controller.scaling.CapacityLimit;
import dev.runnerset.controller.scaling.LimitedBy;
import java.util.Optional;

/** As many more runners as may start now ({@code spec.capacity.startsPerMinute}). */
final class StartsTerm implements CapacityTerm {
  @Override
  public Optional<CapacityLimit> limit(CapacityMoment moment) {
    return moment
        .starts()
        .map(facts -> {
          int more = facts.tokens().whole();
          return new CapacityLimit(
              facts.live() + more,
              LimitedBy.STARTS_PER_MINUTE,
              "",
              "%d of the %d starts a minute are left".formatted(more, facts.perMinute()));
        });
  }
}

package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How many jobs the set offers to take, and what holds that number down. */
@EmptyIsAbsent
public record AdvertisedCapacity(
    @JsonPropertyDescription("how many jobs are taken at a time, the running ones included")
        int advertised,
    @JsonPropertyDescription("what limits that number while jobs wait") @Nullable String limitedBy,
    @JsonPropertyDescription("each limit that is lower than maxRunners")
        List<CapacityLimitStatus> limits,
    @JsonPropertyDescription(
            "how many jobs would be taken with spec.capacity.mode: Enforce; absent with that mode")
        @Nullable Integer shadow,
    @JsonPropertyDescription("what is known of runners that found no place; absent if all find one")
        @Nullable PlacementStatus placement) {

  /** Absent limits are none, so that equality survives a round trip. */
  public AdvertisedCapacity {
    limits = limits == null ? List.of() : List.copyOf(limits);
  }
}

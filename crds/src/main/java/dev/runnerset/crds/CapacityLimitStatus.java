package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** One limit of the capacity that is lower than {@code maxRunners}. */
@NullIsAbsent
public record CapacityLimitStatus(
    @JsonPropertyDescription("what limits, as Quota, StartsPerMinute or Unschedulable")
        String reason,
    @JsonPropertyDescription("how many runners it leaves place for, the present ones included")
        int places,
    @JsonPropertyDescription(
            "which one, as the name of the quota and the resource, or the autoscaler that refused")
        @Nullable String of) {}

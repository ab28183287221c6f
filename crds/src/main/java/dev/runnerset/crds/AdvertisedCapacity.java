package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** How many jobs the set offers to take, and what holds that number down. */
@NullIsAbsent
public record AdvertisedCapacity(
    @JsonPropertyDescription("how many jobs are taken at a time, the running ones included")
        int advertised,
    @JsonPropertyDescription("what limits that number") @Nullable String limitedBy) {}

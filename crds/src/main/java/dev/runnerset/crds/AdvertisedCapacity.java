package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** How many jobs the set offers to take, and what holds that number down. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AdvertisedCapacity(
    @JsonPropertyDescription("so many jobs are taken at a time, the running ones included")
        int advertised,
    @JsonPropertyDescription("what keeps that number down") @Nullable String limitedBy) {}

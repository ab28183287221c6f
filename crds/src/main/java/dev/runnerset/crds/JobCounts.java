package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** Jobs of a set as the Actions service counts them; the running ones are assigned ones too. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobCounts(
    @JsonPropertyDescription("jobs that the service gave to this set, the running ones included")
        int assigned,
    @JsonPropertyDescription("those that run") int running) {}

package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * Runners of a set: those there should be, and those there are. {@code live} is pending + idle +
 * busy, and those that just ended and are not released yet (LV4). {@code finished} are those whose
 * job is over or whose container has ended, as long as their resource is there.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunnerCounts(int desired, int live, int pending, int idle, int busy, int finished) {}

package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/**
 * Runners of a set: those there should be, and those there are. {@code live} is pending + idle +
 * busy, and those that just ended and are not released yet (LV4). {@code finished} are those whose
 * job is over or whose container has ended, as long as their resource is there. {@code stuck} are
 * the pending ones that something keeps from starting.
 */
@NullIsAbsent
public record RunnerCounts(
    @JsonPropertyDescription("how many there should be") int desired,
    @JsonPropertyDescription("pending, idle and busy runners, and runners that have just ended")
        int live,
    @JsonPropertyDescription(
            "made and not ready for a job: the container does not run yet, or the service does not know it yet")
        int pending,
    @JsonPropertyDescription("ready for a job") int idle,
    @JsonPropertyDescription("with a job") int busy,
    @JsonPropertyDescription("ended, and still there") int finished,
    @JsonPropertyDescription("pending runners that something prevents from starting") int stuck) {
  /** The same with that number of those there should be. */
  public RunnerCounts withDesired(int runners) {
    return new RunnerCounts(runners, live, pending, idle, busy, finished, stuck);
  }

  /** The same with that number of stuck ones. */
  public RunnerCounts withStuck(int runners) {
    return new RunnerCounts(desired, live, pending, idle, busy, finished, runners);
  }
}

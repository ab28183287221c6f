package dev.runnerset.actions;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The service's counts of one scale set at the moment of delivery (protocol 4.5).
 *
 * @param available matching jobs neither acquired nor assigned
 * @param acquired jobs claimed and not yet assigned; 0 on the broker flavour
 * @param assigned jobs given to the set, the running ones included
 * @param running jobs on a runner
 * @param registered all registrations, never connected ones included
 * @param busy registered runners with a job
 * @param idle online runners without one
 */
public record Statistics(
    @JsonProperty("totalAvailableJobs") int available,
    @JsonProperty("totalAcquiredJobs") int acquired,
    @JsonProperty("totalAssignedJobs") int assigned,
    @JsonProperty("totalRunningJobs") int running,
    @JsonProperty("totalRegisteredRunners") int registered,
    @JsonProperty("totalBusyRunners") int busy,
    @JsonProperty("totalIdleRunners") int idle) {
  /** Every count is zero, as in a known incident of the service (protocol 4.5). */
  public static final Statistics ZERO = new Statistics(0, 0, 0, 0, 0, 0, 0);

  /** The same counts with another number of assigned jobs. */
  public Statistics withAssigned(int jobs) {
    return new Statistics(available, acquired, jobs, running, registered, busy, idle);
  }

  /** Whether every count is zero, as in a known incident of the service (protocol 4.5). */
  public boolean isAllZero() {
    return equals(ZERO);
  }
}

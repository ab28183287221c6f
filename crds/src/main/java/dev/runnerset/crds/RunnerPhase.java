package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Where a runner stands; the last three are terminal. */
public enum RunnerPhase {
  /** Its container has not started. */
  @JsonProperty("Pending")
  PENDING,
  /** Its container has started. */
  @JsonProperty("Running")
  RUNNING,
  /** The runner ended well. */
  @JsonProperty("Succeeded")
  SUCCEEDED,
  /** The runner failed, or never came up. */
  @JsonProperty("Failed")
  FAILED,
  /** The service refused its version. */
  @JsonProperty("Outdated")
  OUTDATED;

  /** Whether a runner in this phase will never run again. */
  public boolean isTerminal() {
    return this == SUCCEEDED || this == FAILED || this == OUTDATED;
  }
}

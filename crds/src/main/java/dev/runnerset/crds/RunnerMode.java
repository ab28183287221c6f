package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether a set takes jobs (DM5, DM6). */
public enum RunnerMode {
  /** Takes jobs and scales. */
  @JsonProperty("Active")
  ACTIVE,
  /** Advertises no capacity and keeps its runners. */
  @JsonProperty("Paused")
  PAUSED,
  /** Advertises no capacity and goes to zero as its jobs end. */
  @JsonProperty("Drained")
  DRAINED
}

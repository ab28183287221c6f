package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Which runner pods are shielded from eviction and consolidation. */
public enum Protection {
  /** Those with a job. */
  @JsonProperty("Busy")
  BUSY,
  /** None. */
  @JsonProperty("None")
  NONE;

  /** The word in the API. */
  public String word() {
    return this == BUSY ? "Busy" : "None";
  }
}

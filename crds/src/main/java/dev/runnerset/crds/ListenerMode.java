package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether one process listens for many sets, or for this one alone. */
public enum ListenerMode {
  /** One process for many sets. */
  @JsonProperty("Shared")
  SHARED,
  /** A process of its own. */
  @JsonProperty("Dedicated")
  DEDICATED
}

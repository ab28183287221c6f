package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What kept a finished runner when it ended (RT13). */
public enum KeptBy {
  /** A time of its own, or a limit of its set: it stays also when that is removed later. */
  @JsonProperty("Rule")
  RULE,
  /** No rule: it is one of the newest failed runners. */
  @JsonProperty("Default")
  DEFAULT,
  /** The annotation alone: without it the runner goes as if it had never been there. */
  @JsonProperty("Annotation")
  ANNOTATION
}

package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One rollout of a revision. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record HistoryEntry(
    State state,
    String version,
    String image,
    String revision,
    @SchemaFrom(type = String.class) Instant startedTime,
    @SchemaFrom(type = String.class) @Nullable Instant completionTime,
    @Nullable String reason) {

  /** What somebody left out is unknown, and no reason to fail: an unknown start is the epoch. */
  public HistoryEntry {
    state = state == null ? State.PARTIAL : state;
    version = version == null ? "" : version;
    image = image == null ? "" : image;
    revision = revision == null ? "" : revision;
    startedTime = startedTime == null ? Instant.EPOCH : startedTime;
  }

  /** How far the rollout came. */
  public enum State {
    /** Every runner was of this revision once. */
    @JsonProperty("Completed")
    COMPLETED,
    /** Not yet, or never. */
    @JsonProperty("Partial")
    PARTIAL
  }
}

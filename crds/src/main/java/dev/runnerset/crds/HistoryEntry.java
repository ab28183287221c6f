package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One rollout of a revision. */
@NullIsAbsent
public record HistoryEntry(
    @JsonPropertyDescription(
            "Completed: every runner was of this revision; Partial: not, or not yet")
        State state,
    @JsonPropertyDescription("version of the runner in the image") String version,
    @JsonPropertyDescription("image of the container 'runner'") String image,
    @JsonPropertyDescription("hash of what makes the pod") String revision,
    @JsonPropertyDescription("when it began") @SchemaFrom(type = String.class) Instant startedTime,
    @JsonPropertyDescription("when it was complete, or the next one began")
        @SchemaFrom(type = String.class)
        @Nullable Instant completionTime,
    @JsonPropertyDescription("why it is not complete") @Nullable String reason) {

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

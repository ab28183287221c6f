package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is known of runners that found no place, or did not start, so that a restart of the
 * controller does not forget it (DM15).
 */
@NullIsAbsent
public record PlacementStatus(
    @JsonPropertyDescription("the revision of the runners") String revision,
    @JsonPropertyDescription("what keeps them: Unschedulable, NotStarting or Failing")
        String reason,
    @JsonPropertyDescription("who or what said so, as the autoscaler that refused")
        @Nullable String of,
    @JsonPropertyDescription("why, and what to change") String message,
    @JsonPropertyDescription("since when no further runner has started")
        @SchemaFrom(type = String.class)
        Instant since,
    @JsonPropertyDescription("when the last runner began to try") @SchemaFrom(type = String.class)
        Instant probedAt,
    @JsonPropertyDescription(
            "how many more runners may try since one has started; absent: one at a time")
        @Nullable Integer room) {
  /** Anybody may remove a field: a time counts as long ago, a text as empty. */
  public PlacementStatus {
    revision = Objects.requireNonNullElse(revision, "");
    reason = Objects.requireNonNullElse(reason, "");
    message = Objects.requireNonNullElse(message, "");
    since = Objects.requireNonNullElse(since, Instant.EPOCH);
    probedAt = Objects.requireNonNullElse(probedAt, Instant.EPOCH);
  }
}

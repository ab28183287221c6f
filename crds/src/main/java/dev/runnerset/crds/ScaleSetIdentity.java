package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.runnerset.base.Pure;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which scale set an id meant when the service gave it. A server that was restored, or another
 * server behind the same URL, may give the id to somebody else (NM5, docs/adr/0107).
 *
 * @param scaleSetId the id that this is about; a status with another id has no identity
 * @param createdOn by the service's clock; null if the service does not tell
 * @param name the name that the service had last
 * @param nextName the name in a change that was sent and had no answer yet; null if there is none
 */
@NullIsAbsent
@Pure
public record ScaleSetIdentity(
    @JsonPropertyDescription("its id") int scaleSetId,
    @JsonPropertyDescription("when the service made it") @SchemaFrom(type = String.class)
        @Nullable Instant createdOn,
    @JsonPropertyDescription("its name") @Nullable String name,
    @JsonPropertyDescription("its runner group") @Nullable Integer runnerGroupId,
    @JsonPropertyDescription("its next name, while it changes") @Nullable String nextName,
    @JsonPropertyDescription("its next group, while it changes")
        @Nullable Integer nextRunnerGroupId) {
  /** A service may round the time: two readings of one scale set differ by less than that. */
  private static final Duration ROUNDED = Duration.ofSeconds(1);

  /** That of a scale set as the service has it. */
  public static ScaleSetIdentity of(
      int scaleSetId, String name, int runnerGroupId, @Nullable Instant createdOn) {
    return new ScaleSetIdentity(scaleSetId, createdOn, name, runnerGroupId, null, null);
  }

  /** This identity before a change to that name and group is sent. */
  public ScaleSetIdentity becoming(String newName, int newRunnerGroupId) {
    return new ScaleSetIdentity(
        scaleSetId, createdOn, name, runnerGroupId, newName, newRunnerGroupId);
  }

  /**
   * Whether the scale set that the service has under the id is this one: it was made at the same
   * time. Where one of the times is not known: name and group are those that it had, or those of
   * the change that is under way.
   */
  public boolean isThatOf(ScaleSetIdentity found) {
    if (scaleSetId != found.scaleSetId) {
      return false;
    }
    return createdOn != null && found.createdOn != null
        ? Duration.between(createdOn, found.createdOn).abs().compareTo(ROUNDED) < 0
        : found.isNamed(name, runnerGroupId) || found.isNamed(nextName, nextRunnerGroupId);
  }

  /** The service ignores the case of names. */
  private boolean isNamed(@Nullable String other, @Nullable Integer group) {
    return name != null
        && name.equalsIgnoreCase(other)
        && runnerGroupId != null
        && runnerGroupId.equals(group);
  }
}

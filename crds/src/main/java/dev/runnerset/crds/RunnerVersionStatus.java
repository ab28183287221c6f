package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The version of a set's runners, and until when github.com serves it (RN21).
 *
 * @param revision of the runner that was read
 * @param imageID of its container
 */
@NullIsAbsent
public record RunnerVersionStatus(
    @JsonPropertyDescription("absent while it is unknown") @Nullable String version,
    @JsonPropertyDescription(
            "who says so: Runner (it reported it to the service), RestAPI, ImageTag, or Unknown")
        From from,
    @JsonPropertyDescription(
            "from then on its runners get no job; absent while GitHub sets no date")
        @SchemaFrom(type = String.class)
        @Nullable Instant receivesJobsUntil,
    @JsonPropertyDescription("from then on it cannot register; absent while GitHub sets no date")
        @SchemaFrom(type = String.class)
        @Nullable Instant registersUntil,
    @JsonPropertyDescription("when that was read; it is read once a day")
        @SchemaFrom(type = String.class)
        Instant observedAt,
    @JsonPropertyDescription("the revision of the runner that was read") @Nullable String revision,
    @JsonPropertyDescription("the image of its container, as the node names it")
        @Nullable String imageID) {

  /** What somebody left out is unknown. */
  public RunnerVersionStatus {
    from = from == null ? From.UNKNOWN : from;
    observedAt = observedAt == null ? Instant.EPOCH : observedAt;
  }

  /** From when on its runners get no job or cannot register; null while no date is set. */
  @JsonIgnore
  public @Nullable Instant servedUntil() {
    return receivesJobsUntil == null
            || (registersUntil != null && registersUntil.isBefore(receivesJobsUntil))
        ? registersUntil
        : receivesJobsUntil;
  }

  /** Who says the version. */
  public enum From {
    /** The runner reported it when it connected. */
    @JsonProperty("Runner")
    RUNNER,
    /** GitHub's public API. */
    @JsonProperty("RestAPI")
    REST_API,
    /** The tag of the image, which need not be true. */
    @JsonProperty("ImageTag")
    IMAGE_TAG,
    /** Nobody. */
    @JsonProperty("Unknown")
    UNKNOWN
  }
}

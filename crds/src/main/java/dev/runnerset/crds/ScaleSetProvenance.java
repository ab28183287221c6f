package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where the scale set of a set comes from (NM5). Only one that the set made is deleted with it.
 *
 * @param origin of the scale set in {@code scaleSetId}; null if nobody wrote it down
 * @param intent what was about to be made; null while nothing is
 * @param identity which scale set the id means; null if a version wrote the id that did not store
 *     it
 */
@NullIsAbsent
public record ScaleSetProvenance(
    @JsonPropertyDescription(
            "Created by this set, or Adopted by spec.adoptScaleSetId; absent if unknown")
        @Nullable Origin origin,
    @JsonPropertyDescription("written before the scale set is made, so that a crash loses nothing")
        @Nullable Intent intent,
    @JsonPropertyDescription("which scale set the id means") @Nullable ScaleSetIdentity identity) {

  /** Who made a scale set. */
  public enum Origin {
    /** This set. */
    @JsonProperty("Created")
    CREATED,
    /** Somebody else; the user said that this set may use it. */
    @JsonProperty("Adopted")
    ADOPTED
  }

  /**
   * The scale set that a set is about to make: none of that name was there.
   *
   * @param at when that was seen, by the clock of the controller
   */
  @NullIsAbsent
  public record Intent(
      @JsonPropertyDescription("name of the scale set") String name,
      @JsonPropertyDescription("id of its runner group") int runnerGroupId,
      @JsonPropertyDescription("when no scale set of that name was there")
          @SchemaFrom(type = String.class)
          Instant at) {
    /** What somebody left out proves nothing. */
    public Intent {
      name = name == null ? "" : name;
      at = at == null ? Instant.EPOCH : at;
    }
  }
}

package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.fabric8.generator.annotation.Pattern;
import org.jspecify.annotations.Nullable;

/** When runners that have been idle for long are collected. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record GarbageCollection(
    @Pattern(GoDuration.PATTERN) @Nullable String maximumIdleAge, @Nullable Afterwards afterwards) {

  /** What becomes of the place of a collected runner. */
  public enum Afterwards {
    /** A new runner takes it. */
    @JsonProperty("Replace")
    REPLACE,
    /** The place stays empty until the next job. */
    @JsonProperty("Release")
    RELEASE
  }
}

package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** When runners that have been idle for long are collected. */
@EmptyIsAbsent
public record GarbageCollection(
    @JsonPropertyDescription(
            "a runner that has been idle for this time is removed, for example" + " 24h")
        @Size(max = GoDuration.LONGEST)
        @ValidationRule(value = GoDuration.RULE, message = GoDuration.EXPECTED)
        @Nullable String maximumIdleAge,
    @JsonPropertyDescription(
            "Replace: a new runner takes its place; Release: the place stays empty until the next job")
        @Default("Replace")
        @Nullable Afterwards afterwards) {

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

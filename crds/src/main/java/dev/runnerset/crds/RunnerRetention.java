package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** How long one finished runner is kept: the set's times as they were when it was made. */
@EmptyIsAbsent
public record RunnerRetention(
    @JsonPropertyDescription("how long it is kept if it failed, for example 6h")
        @Size(max = GoDuration.LONGEST)
        @ValidationRule(value = GoDuration.RULE, message = GoDuration.EXPECTED)
        @Nullable String ttlAfterFailed,
    @JsonPropertyDescription("how long it is kept if it succeeded, for example 30m")
        @Size(max = GoDuration.LONGEST)
        @ValidationRule(value = GoDuration.RULE, message = GoDuration.EXPECTED)
        @Nullable String ttlAfterSucceeded) {

  /** The times of a set for a runner that is made now, or null when it has none. */
  public static @Nullable RunnerRetention snapshotOf(@Nullable Retention set) {
    return set == null || (set.ttlAfterFailed() == null && set.ttlAfterSucceeded() == null)
        ? null
        : new RunnerRetention(set.ttlAfterFailed(), set.ttlAfterSucceeded());
  }
}

package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** How long a runner may take for each step before it is replaced; durations like {@code 10m}. */
@EmptyIsAbsent
public record Deadlines(
    @JsonPropertyDescription("until a node takes the pod, for example 10m")
        @Default(Deadlines.SCHEDULING)
        @Size(max = GoDuration.LONGEST)
        @ValidationRule(value = GoDuration.RULE, message = GoDuration.EXPECTED)
        @Nullable String scheduling,
    @JsonPropertyDescription("from then until the container runs, for example 10m")
        @Default(Deadlines.STARTUP)
        @Size(max = GoDuration.LONGEST)
        @ValidationRule(value = GoDuration.RULE, message = GoDuration.EXPECTED)
        @Nullable String startup,
    @JsonPropertyDescription("from then until the service knows the runner, for example 5m")
        @Default(Deadlines.REGISTRATION)
        @Size(max = GoDuration.LONGEST)
        @ValidationRule(value = GoDuration.RULE, message = GoDuration.EXPECTED)
        @Nullable String registration) {
  /** The default of {@link #scheduling}. */
  public static final String SCHEDULING = "10m";

  /** The default of {@link #startup}. */
  public static final String STARTUP = "10m";

  /** The default of {@link #registration}. */
  public static final String REGISTRATION = "5m";
}

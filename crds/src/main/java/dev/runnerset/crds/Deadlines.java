package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Pattern;
import org.jspecify.annotations.Nullable;

/** How long a runner may take for each step before it is replaced; durations like {@code 10m}. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Deadlines(
    @Pattern(GoDuration.PATTERN) @Nullable String scheduling,
    @Pattern(GoDuration.PATTERN) @Nullable String startup,
    @Pattern(GoDuration.PATTERN) @Nullable String registration) {}

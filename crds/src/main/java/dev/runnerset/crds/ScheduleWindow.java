package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** Limits that hold for a while after each start. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
    value = "!has(self.minRunners) || !has(self.maxRunners) || self.minRunners <= self.maxRunners",
    message = "minRunners must not be greater than maxRunners")
public record ScheduleWindow(
    @Required String name,
    @Required String timeZone,
    @Required String start,
    @Required @Pattern(GoDuration.PATTERN) String duration,
    @Min(0) @Nullable Integer minRunners,
    @Min(0) @Nullable Integer maxRunners) {}

package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** Limits that hold for a while after each start (SC1). */
@EmptyIsAbsent
@ValidationRule(
    value = "!has(self.minRunners) || !has(self.maxRunners) || self.minRunners <= self.maxRunners",
    message = "minRunners must not be greater than maxRunners")
public record ScheduleWindow(
    @JsonPropertyDescription("a name for messages") @Required String name,
    @JsonPropertyDescription("as Europe/Berlin") @Required String timeZone,
    @JsonPropertyDescription("when it begins, as a cron expression: minute hour day month weekday")
        @Required
        String start,
    @JsonPropertyDescription("how long it is open after each start, for example 12h")
        @Required
        @Size(max = GoDuration.LONGEST)
        @ValidationRule(value = GoDuration.RULE, message = GoDuration.EXPECTED)
        String duration,
    @JsonPropertyDescription("in place of spec.minRunners")
        @Min(0)
        @Max(AutoScalingRunnerSetSpec.MOST_RUNNERS)
        @Nullable Integer minRunners,
    @JsonPropertyDescription("in place of spec.maxRunners")
        @Min(0)
        @Max(AutoScalingRunnerSetSpec.MOST_RUNNERS)
        @Nullable Integer maxRunners) {}

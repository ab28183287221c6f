package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** How long, and how many, finished runners of a set are kept. */
@EmptyIsAbsent
public record Retention(
    @JsonPropertyDescription("a failed runner is deleted after this time, for example 6h")
        @Size(max = GoDuration.LONGEST)
        @ValidationRule(value = GoDuration.RULE, message = GoDuration.EXPECTED)
        @Nullable String ttlAfterFailed,
    @JsonPropertyDescription("a runner that succeeded is deleted after this time, for example 30m")
        @Size(max = GoDuration.LONGEST)
        @ValidationRule(value = GoDuration.RULE, message = GoDuration.EXPECTED)
        @Nullable String ttlAfterSucceeded,
    @JsonPropertyDescription(
            "so many failed runners are kept, the newest; a failed runner goes when its time or this limit"
                + " says so; 3 if neither ttlAfterFailed, ttlAfterSucceeded nor a limit is set; none are"
                + " kept if only ttlAfterSucceeded or succeededLimit is")
        @Min(1)
        @Max(100)
        @Nullable Integer failedLimit,
    @JsonPropertyDescription("how many runners that succeeded are kept; the newest stay")
        @Min(1)
        @Max(100)
        @Nullable Integer succeededLimit,
    @JsonPropertyDescription(
            "Keep: the pod of a kept runner stays, for its logs; Delete: it is" + " deleted")
        @Default("Keep")
        @Nullable PodPolicy podPolicy,
    @JsonPropertyDescription(
            "Runner: its own end decides between failed and succeeded; Job: the result of its job")
        @Default("Runner")
        @Nullable OutcomeFrom outcomeFrom) {

  /** What becomes of the pod of a retained runner. */
  public enum PodPolicy {
    /** The pod stays, for its logs. */
    @JsonProperty("Keep")
    KEEP,
    /** The pod is deleted when the runner has ended. */
    @JsonProperty("Delete")
    DELETE
  }

  /** Whose outcome decides between succeeded and failed. */
  public enum OutcomeFrom {
    /** The runner's own. */
    @JsonProperty("Runner")
    RUNNER,
    /** That of its job. */
    @JsonProperty("Job")
    JOB
  }
}

package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import org.jspecify.annotations.Nullable;

/** How long, and how many, finished runners of a set are kept. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Retention(
    @Pattern(GoDuration.PATTERN) @Nullable String ttlAfterFailed,
    @Pattern(GoDuration.PATTERN) @Nullable String ttlAfterSucceeded,
    @Min(1) @Max(100) @Nullable Integer failedLimit,
    @Min(1) @Max(100) @Nullable Integer succeededLimit,
    @Nullable PodPolicy podPolicy,
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

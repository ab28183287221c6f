package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Why a runner failed. */
@EmptyIsAbsent
public record RunnerFailure(
    @JsonPropertyDescription("a word for programs") @Nullable String reason,
    @JsonPropertyDescription("what happened") @Nullable String message,
    @JsonPropertyDescription("of the container 'runner'") @Nullable Integer exitCode,
    @JsonPropertyDescription("what was known of its pod at its end")
        @PreserveUnknownFields
        @SchemaFrom(type = Object.class)
        Map<String, Object> evidence,
    @JsonPropertyDescription(
            "what ended its job, as evicted; absent unless the runner lost a job that was still running")
        @Nullable String jobLostBy) {

  /** Absent evidence is empty, so that equality survives a round trip. */
  public RunnerFailure {
    evidence = evidence == null ? Map.of() : Map.copyOf(evidence);
  }

  /** This failure, with the cause by which its job was lost. */
  public RunnerFailure withJobLostBy(@Nullable String cause) {
    return new RunnerFailure(reason, message, exitCode, evidence, cause);
  }
}

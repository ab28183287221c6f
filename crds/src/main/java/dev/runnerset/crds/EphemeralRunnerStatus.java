package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One runner as three writers see it: the listener ({@code requestId}, {@code jobId}, {@code job},
 * {@code jobResult}), the remover ({@code removal}) and the runner reconciler (the rest).
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record EphemeralRunnerStatus(
    @JsonPropertyDescription(
            "Pending; Running: its container runs; Succeeded, Failed, Outdated: it has ended")
        @Nullable RunnerPhase phase,
    @JsonPropertyDescription("how far it has come; a False one says what it waits for")
        List<Condition> conditions,
    @JsonPropertyDescription("id at the service") @Nullable Long runnerId,
    @JsonPropertyDescription("name at the service") @Nullable String runnerName,
    @JsonPropertyDescription("its pod") @Nullable String podName,
    @JsonPropertyDescription("the node of its pod") @Nullable String nodeName,
    @JsonPropertyDescription(
            "the job's request id as the service sent it, 0 where the service numbers no job (jobId"
                + " names it there); set while and after it has one")
        @Nullable Long requestId,
    @JsonPropertyDescription("the job") @Nullable String jobId,
    @JsonPropertyDescription("what is known of the job") @Nullable RunnerJob job,
    @JsonPropertyDescription("how the job ended") @Nullable String jobResult,
    @JsonPropertyDescription("since when it waits for a job") @SchemaFrom(type = String.class)
        @Nullable Instant idleSince,
    @JsonPropertyDescription("when it ended") @SchemaFrom(type = String.class)
        @Nullable Instant completionTime,
    @JsonPropertyDescription("when it reached each step") @Nullable RunnerTimeline timeline,
    @JsonPropertyDescription("what the service answered when it was to be removed")
        @Nullable RunnerRemoval removal,
    @JsonPropertyDescription("why it failed") @Nullable RunnerFailure failure,
    @JsonPropertyDescription(
            "what kept it when it ended: Rule, a time or a limit; Default, one of the newest failed"
                + " ones; Annotation, runnerset.dev/retain alone")
        @Nullable KeptBy keptBy) {

  /** Nothing observed yet. */
  public static final EphemeralRunnerStatus NONE = builder().build();

  /** Absent lists are empty, so that equality survives a round trip. */
  public EphemeralRunnerStatus {
    conditions = conditions == null ? List.of() : List.copyOf(conditions);
  }

  /**
   * Whether the runner has, or had, a job: the one predicate of scale-down, age collection,
   * revision change (LV1). The hosted service sends a request id of 0 and a job id; a runner is
   * ephemeral, so that a mark is never taken back.
   */
  @JsonIgnore // a question, no field
  public boolean isBusy() {
    return (requestId != null && requestId > 0) || (jobId != null && !jobId.isEmpty());
  }

  /** Whether the runner has reached a terminal phase. */
  @JsonIgnore // a question, no field
  public boolean isTerminal() {
    return phase != null && phase.isTerminal();
  }

  /** A builder of a status in which nothing is set. */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder in which everything is set as here. */
  public Builder toBuilder() {
    return builder()
        .phase(phase)
        .conditions(conditions)
        .runnerId(runnerId)
        .runnerName(runnerName)
        .podName(podName)
        .nodeName(nodeName)
        .requestId(requestId)
        .jobId(jobId)
        .job(job)
        .jobResult(jobResult)
        .idleSince(idleSince)
        .completionTime(completionTime)
        .timeline(timeline)
        .removal(removal)
        .failure(failure)
        .keptBy(keptBy);
  }

  /** Sets the fields by name. */
  public static final class Builder {
    private @Nullable RunnerPhase phase;
    private List<Condition> conditions = List.of();
    private @Nullable Long runnerId;
    private @Nullable String runnerName;
    private @Nullable String podName;
    private @Nullable String nodeName;
    private @Nullable Long requestId;
    private @Nullable String jobId;
    private @Nullable RunnerJob job;
    private @Nullable String jobResult;
    private @Nullable Instant idleSince;
    private @Nullable Instant completionTime;
    private @Nullable RunnerTimeline timeline;
    private @Nullable RunnerRemoval removal;
    private @Nullable RunnerFailure failure;
    private @Nullable KeptBy keptBy;

    private Builder() {}

    /** Sets {@link EphemeralRunnerStatus#phase}; null for none. */
    public Builder phase(@Nullable RunnerPhase value) {
      phase = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerStatus#conditions}. */
    public Builder conditions(List<Condition> value) {
      conditions = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerStatus#runnerId}; null for none. */
    public Builder runnerId(@Nullable Long value) {
      runnerId = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerStatus#runnerName}; null for none. */
    public Builder runnerName(@Nullable String value) {
      runnerName = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerStatus#podName}; null for none. */
    public Builder podName(@Nullable String value) {
      podName = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerStatus#nodeName}; null for none. */
    public Builder nodeName(@Nullable String value) {
      nodeName = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerStatus#requestId}; null for none. */
    public Builder requestId(@Nullable Long value) {
      requestId = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerStatus#jobId}; null for none. */
    public Builder jobId(@Nullable String value) {
      jobId = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerStatus#job}; null for none. */
    public Builder job(@Nullable RunnerJob value) {
      job = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerStatus#jobResult}; null for none. */
    public Builder jobResult(@Nullable String value) {
      jobResult = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerStatus#idleSince}; null for none. */
    public Builder idleSince(@Nullable Instant value) {
      idleSince = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerStatus#completionTime}; null for none. */
    public Builder completionTime(@Nullable Instant value) {
      completionTime = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerStatus#timeline}; null for none. */
    public Builder timeline(@Nullable RunnerTimeline value) {
      timeline = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerStatus#removal}; null for none. */
    public Builder removal(@Nullable RunnerRemoval value) {
      removal = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerStatus#failure}; null for none. */
    public Builder failure(@Nullable RunnerFailure value) {
      failure = value;
      return this;
    }

    /** Sets {@link EphemeralRunnerStatus#keptBy}; null for none. */
    public Builder keptBy(@Nullable KeptBy value) {
      keptBy = value;
      return this;
    }

    /** The record with what was set; the rest is absent. */
    public EphemeralRunnerStatus build() {
      return new EphemeralRunnerStatus(
          phase,
          conditions,
          runnerId,
          runnerName,
          podName,
          nodeName,
          requestId,
          jobId,
          job,
          jobResult,
          idleSince,
          completionTime,
          timeline,
          removal,
          failure,
          keptBy);
    }
  }
}

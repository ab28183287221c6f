package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.runnerset.crds.condition.StatusConditions;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One runner as three writers see it: the listener ({@code requestId}, {@code jobId}, {@code job},
 * {@code jobResult}), the remover ({@code removal}) and the runner reconciler (the rest).
 */
@EmptyIsAbsent
@WithBuilder
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
    conditions = StatusConditions.stored(conditions);
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

  /** Whether a message said that the runner's job is over. */
  @JsonIgnore // a question, no field
  public boolean isJobCompleted() {
    return job != null && job.completedIn() != null;
  }

  /** Whether the runner has reached a terminal phase. */
  @JsonIgnore // a question, no field
  public boolean isTerminal() {
    return phase != null && phase.isTerminal();
  }

  /** A builder of a status in which nothing is set. */
  public static EphemeralRunnerStatusBuilder builder() {
    return EphemeralRunnerStatusBuilder.builder();
  }

  /** A builder in which everything is set as here. */
  public EphemeralRunnerStatusBuilder toBuilder() {
    return EphemeralRunnerStatusBuilder.builder(this);
  }
}

package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
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
    @Nullable RunnerPhase phase,
    List<Condition> conditions,
    @Nullable Long runnerId,
    @Nullable String runnerName,
    @Nullable String podName,
    @Nullable String nodeName,
    @Nullable Long requestId,
    @Nullable String jobId,
    @Nullable RunnerJob job,
    @Nullable String jobResult,
    @SchemaFrom(type = String.class) @Nullable Instant idleSince,
    @SchemaFrom(type = String.class) @Nullable Instant completionTime,
    @Nullable RunnerTimeline timeline,
    @Nullable RunnerRemoval removal,
    @Nullable RunnerFailure failure) {

  /** Nothing observed yet. */
  public static final EphemeralRunnerStatus NONE =
      new EphemeralRunnerStatus(
          null, List.of(), null, null, null, null, null, null, null, null, null, null, null, null,
          null);

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
}

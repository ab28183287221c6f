package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A job that was lost with its runner, and is to run again (RR2). */
@NullIsAbsent
public record LostJob(
    @JsonPropertyDescription("owner/name") String repository,
    @JsonPropertyDescription("the workflow run, as in its URL") long workflowRunId,
    @JsonPropertyDescription("id of the runner's registration") @Nullable Long runnerId,
    @JsonPropertyDescription("what ended its runner, as node_down") String cause,
    @JsonPropertyDescription("when its runner ended") @SchemaFrom(type = String.class)
        Instant lostAt,
    @JsonPropertyDescription("the attempt of the run that the controller asks for or has asked for")
        @Nullable Integer rerunAttempt) {

  /** What somebody left out is unknown. */
  public LostJob {
    repository = repository == null ? "" : repository;
    cause = cause == null ? "" : cause;
    lostAt = lostAt == null ? Instant.EPOCH : lostAt;
  }

  /** This loss, for which that attempt is asked. */
  public LostJob withRerunAttempt(int attempt) {
    return new LostJob(repository, workflowRunId, runnerId, cause, lostAt, attempt);
  }
}

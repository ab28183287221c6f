package dev.runnerset.actions;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The fields that all events of a job share (protocol 4.2); absent strings are empty, absent times
 * null.
 *
 * @param runnerRequestId 0 on the broker flavour, which identifies a job by {@code jobId}
 * @param repository {@code owner/name}
 */
public record JobDescription(
    long runnerRequestId,
    String jobId,
    String repository,
    String workflowRef,
    String displayName,
    long workflowRunId,
    String eventName,
    @Nullable Instant queuedAt,
    @Nullable Instant assignedAt,
    @Nullable Instant startedAt,
    @Nullable Instant finishedAt) {
  /** An id of the service is a UUID, of 36 characters. */
  private static final int LONGEST_KEY = 64;

  /** What tells this job from the others of its set: short, since many are remembered. */
  public String key() {
    var key = jobId.isEmpty() ? "request-" + runnerRequestId : jobId;
    return key.length() <= LONGEST_KEY ? key : key.substring(0, LONGEST_KEY);
  }
}

package dev.runnerset.simulator.service;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job as it stands.
 *
 * @param state {@code SUBMITTED, QUEUED, ACQUIRED, ASSIGNED, OFFERED, RUNNING, COMPLETED}
 * @param result as completed; empty before
 * @param scaleSetId 0 while none has it
 * @param runnerName the runner that took it; empty before
 * @param run the run of its workflow, and {@code runAttempt} the attempt of it
 * @param lost its runner vanished under it, or was stopped
 */
public record JobView(
    UUID id,
    long run,
    int runAttempt,
    String state,
    String result,
    int scaleSetId,
    String runnerName,
    boolean lost,
    @Nullable Instant queued,
    @Nullable Instant assigned,
    @Nullable Instant started,
    @Nullable Instant completed) {

  static JobView of(Job job) {
    return new JobView(
        job.id,
        job.run.id,
        job.runAttempt,
        job.state.name(),
        job.result,
        job.set == null ? 0 : job.set.id,
        job.runnerName,
        job.lost,
        job.queued,
        job.assigned,
        job.started,
        job.completed);
  }
}

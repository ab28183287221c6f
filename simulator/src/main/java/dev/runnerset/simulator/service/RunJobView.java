package dev.runnerset.simulator.service;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job of a run as it is now.
 *
 * @param id of the REST API
 * @param jobId as messages name it
 * @param attempt the one that ran it
 * @param status {@code queued, in_progress, completed}
 * @param conclusion {@code success, failure, cancelled, skipped}; null before its end
 * @param runnerName the runner that took it; empty before
 * @param lost its runner vanished under it, or was stopped
 */
public record RunJobView(
    long id,
    UUID jobId,
    String name,
    int attempt,
    String status,
    @Nullable String conclusion,
    String runnerName,
    boolean lost) {

  static RunJobView of(Job job) {
    return new RunJobView(
        job.restId,
        job.id,
        job.request.displayName(),
        job.runAttempt,
        job.status().word(),
        job.conclusion(),
        job.runnerName,
        job.lost);
  }
}

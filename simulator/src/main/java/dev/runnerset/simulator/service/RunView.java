package dev.runnerset.simulator.service;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run of a workflow as it is now.
 *
 * @param repository {@code owner/name}; empty while no scale set has a job of it that any may have
 * @param attempts the first one first
 */
public record RunView(long id, String repository, Instant created, List<Attempt> attempts) {

  /**
   * One attempt.
   *
   * @param by who asked for it: {@code push}, {@code person}, or who called the REST API
   * @param cancelled a person cancelled it
   * @param status {@code queued, in_progress, completed}
   * @param conclusion {@code success, failure, cancelled, skipped}; null before its end
   * @param jobs with the ones that it did not run again
   */
  public record Attempt(
      int number,
      String by,
      Instant began,
      boolean cancelled,
      String status,
      @Nullable String conclusion,
      List<RunJobView> jobs) {

    private static Attempt of(RunHistory.Attempt attempt, Instant now, Duration lag) {
      var status = attempt.status(now, lag);
      return new Attempt(
          attempt.number,
          attempt.by,
          attempt.began,
          attempt.cancelled,
          status.word(),
          status == RunStatus.COMPLETED ? attempt.conclusion() : null,
          attempt.jobs.stream().map(RunJobView::of).toList());
    }
  }

  static RunView of(RunHistory history, Instant now, Duration lag) {
    var repository = history.run.repository;
    return new RunView(
        history.run.id,
        repository == null ? "" : repository.name,
        history.run.created,
        history.attempts().stream().map(attempt -> Attempt.of(attempt, now, lag)).toList());
  }

  public Attempt latest() {
    return attempts.getLast();
  }
}

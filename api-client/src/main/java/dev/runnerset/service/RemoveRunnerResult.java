package dev.runnerset.service;

/** The answer to the removal of a registration (ADR 2022-12-27 R5, R6). */
public sealed interface RemoveRunnerResult {
  /** 204, or the service's own word that it knows no such runner: gone, or never there. */
  record Removed() implements RemoveRunnerResult {}

  /** JobStillRunningException: not removed, and not an error. */
  record JobStillRunning() implements RemoveRunnerResult {}

  /** Anything else, after the client's own retries: nothing is known about the runner. */
  record Failed(ServiceError error) implements RemoveRunnerResult {}
}

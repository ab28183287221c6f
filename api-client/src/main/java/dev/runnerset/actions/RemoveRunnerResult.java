package dev.runnerset.actions;

/** The answer to the removal of a registration (protocol 3.9). */
public sealed interface RemoveRunnerResult {
  /** 204: no registration of that id is left; the service may say so of an id it never knew. */
  record Removed() implements RemoveRunnerResult {}

  /** The service's own word that it knows no registration of that id; of others it says nothing. */
  record NotFound() implements RemoveRunnerResult {}

  /** JobStillRunningException: not removed, and not an error. */
  record JobStillRunning() implements RemoveRunnerResult {}

  /** Anything else, after the client's own retries: nothing is known about the runner. */
  record Failed(ServiceError error) implements RemoveRunnerResult {}
}

package dev.runnerset.actions;

/**
 * What a message says of one job (protocol 4.2). The legacy flavour's JobAvailable is only counted.
 */
public sealed interface JobEvent {
  /** The job of this event. */
  JobDescription job();

  /** The job was given to the set. */
  record JobAssigned(JobDescription job) implements JobEvent {}

  /** A runner took the job. */
  record JobStarted(JobDescription job, RunnerId runnerId, String runnerName) implements JobEvent {}

  /**
   * The job is over.
   *
   * @param result the service's word, as succeeded, failed or canceled; more may come
   * @param runnerName empty, and {@code runnerId} 0, if no runner took the job
   */
  record JobCompleted(JobDescription job, String result, RunnerId runnerId, String runnerName)
      implements JobEvent {}
}

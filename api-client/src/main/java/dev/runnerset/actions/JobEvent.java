package dev.runnerset.actions;

/** What a message says of one job (protocol 4.2). */
public sealed interface JobEvent {
  /** The job of this event. */
  JobDescription job();

  /**
   * The job is offered to the set, which may acquire it by its {@code runnerRequestId}; of the
   * legacy flavour only (protocol 3.12).
   */
  record JobAvailable(JobDescription job) implements JobEvent {}

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

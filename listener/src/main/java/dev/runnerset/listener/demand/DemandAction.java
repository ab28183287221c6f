package dev.runnerset.listener.demand;

import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.Statistics;
import java.time.Instant;

/** One thing to do for a message. Doing it twice has the same effect as doing it once (I8). */
public sealed interface DemandAction {
  /**
   * Write the demand of the set, as a whole.
   *
   * @param messageId the latest message that the counts reckon with; once this is written, runners
   *     whose completion came with it or before are released
   */
  record WriteDemand(long messageId, Statistics counts, Instant observedAt)
      implements DemandAction {}

  /** A mark on one runner. */
  sealed interface Mark extends DemandAction {
    /** The registration's name, which is the runner's. */
    String runnerName();

    /** The registration that the message names. */
    RunnerId runnerId();

    /** The job. */
    JobMark job();
  }

  /** Mark the runner busy. */
  record MarkStarted(String runnerName, RunnerId runnerId, JobMark job) implements Mark {}

  /**
   * Mark the runner's job as completed. The mark carries the job too, so that a lost start is made
   * good, and start and completion in one message are one write.
   *
   * @param completedIn the id of the message
   */
  record MarkCompleted(
      String runnerName, RunnerId runnerId, JobMark job, String result, long completedIn)
      implements Mark {}

  /**
   * Read the scale set and give its statistics to {@link MessagePlanner#scaleSetRead}: the zeros
   * heard were doubted long enough, or no statistics were ever heard.
   */
  record ReadScaleSet() implements DemandAction {}
}

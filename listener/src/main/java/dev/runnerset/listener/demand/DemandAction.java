package dev.runnerset.listener.demand;

import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.Statistics;
import java.time.Instant;

/** One thing to do for a message; each may be done twice with the effect of once (I8). */
public sealed interface DemandAction {
  /**
   * Write the demand of the set, as a whole.
   *
   * @param messageId the latest message whose completions are marked once this is written
   */
  record WriteDemand(long messageId, Statistics counts, Instant observedAt)
      implements DemandAction {}

  /** A mark on one runner. */
  sealed interface Mark extends DemandAction {
    /** The registration's name, which is the runner's. */
    String runnerName();

    /** The registration the message meant. */
    RunnerId runnerId();

    /** The job. */
    JobMark job();
  }

  /** Mark the runner busy. */
  record MarkStarted(String runnerName, RunnerId runnerId, JobMark job) implements Mark {}

  /**
   * Mark the runner's job as over. It carries the job too, so that a lost start is made good, and
   * start and completion in one message are one write.
   *
   * @param completedIn the id of the message
   */
  record MarkCompleted(
      String runnerName, RunnerId runnerId, JobMark job, String result, long completedIn)
      implements Mark {}

  /**
   * Read the scale set's own statistics and tell {@link MessagePlanner#scaleSetRead}: the zeros
   * heard have been doubted long enough, or no statistics were heard at all.
   */
  record ReadScaleSet() implements DemandAction {}
}

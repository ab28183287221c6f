package dev.runnerset.listener.session.context;

import dev.runnerset.actions.PollResult.Message;
import dev.runnerset.actions.Statistics;
import dev.runnerset.listener.session.context.SetSeries.Count;
import java.time.Instant;

/**
 * Hears what a loop counts and measures for one set; an implementation ignores what it does not
 * need. Safe for concurrent use; does not block.
 */
public interface SetSeries {
  /** One thing counted. */
  public enum Count {
    /** Messages applied and acknowledged. */
    MESSAGES,
    /** Offered jobs that the set acquired. */
    JOBS_ACQUIRED,
    /** Offered jobs that the set asked for and did not get. */
    JOBS_NOT_WON,
    /** Marks for a runner that no longer exists. */
    MARKS_WITHOUT_RUNNER,
    /** Marks of another registration of the same name; taken back. */
    FOREIGN_MARKS,
    /** Polls that did not answer in their time. */
    POLLS_TIMED_OUT,
    /** Messages acknowledged without a part that could not be read. */
    MESSAGES_SKIPPED,
    /** Failures that no rule foresees; after each the set was taken over again. */
    LOOPS_FAILED,
    /** Loops that died, each started again. */
    LOOPS_DIED,
    /** Loops that hung, each replaced. */
    LOOPS_STUCK,
    /** Sessions that were opened and can be polled. */
    SESSIONS_OPENED,
    /** Sessions that the service forgot. */
    SESSIONS_LOST,
    /** Openings that failed because another session is open. */
    SESSIONS_CONFLICTING,
    /** Sessions that the service opened in such a way that they cannot be polled. */
    SESSIONS_UNUSABLE,
    /** Sessions of a former holder that were deleted after a take-over. */
    SESSIONS_TAKEN_OVER,
    /** Times that another holder had taken the fence. */
    FENCES_LOST
  }

  /** One thing happened. */
  default void counted(Count what) {}

  /** The counts of the service that the listener believes now. */
  default void believed(Statistics counts) {}

  /** A message was applied. */
  default void received(Message message, Instant now) {}

  /** The API server did not carry out a write. */
  default void refused(KubeRefusal.Kind kind) {}
}

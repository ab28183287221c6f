package dev.runnerset.listener.session.context;

import dev.runnerset.actions.MessageSession;
import dev.runnerset.actions.PollResult;
import dev.runnerset.actions.ServiceError;

/** Long polls beside the loop's thread, one at a time. The answer goes into the loop's inbox. */
public interface Polls {
  /** How a poll ended. */
  sealed interface Answer {
    /** The number that {@link Polls#start} was given. */
    long poll();
  }

  /** The service answered. */
  record Answered(long poll, PollResult result) implements Answer {}

  /** The poll failed, or was cancelled. */
  record Failed(long poll, ServiceError error) implements Answer {}

  /**
   * Starts a poll.
   *
   * @param number tells its answer from those of polls given up
   */
  void start(long number, MessageSession session, long lastMessageId, int capacity);

  /**
   * Makes the poll under way end soon; an answer comes all the same. No message is lost: what was
   * not acknowledged is delivered again.
   */
  void cancel();
}

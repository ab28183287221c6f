package dev.runnerset.listener.session;

import dev.runnerset.actions.MessageSession;

/** Long polls beside the loop's thread; the answer goes into its inbox. One at a time. */
public interface Polls {
  /**
   * Starts a poll.
   *
   * @param number tells its answer from those of polls given up
   */
  void start(long number, MessageSession session, long lastMessageId, int capacity);

  /** Makes the poll under way end soon; it still answers. Safe: messages are delivered again. */
  void cancel();
}

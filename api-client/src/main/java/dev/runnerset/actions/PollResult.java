package dev.runnerset.actions;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer to one long poll (protocol 3.11). */
public sealed interface PollResult {
  /** Nothing happened while the poll stood (202). */
  record Nothing() implements PollResult {}

  /**
   * A message.
   *
   * @param messageId increasing within a scale set
   * @param statistics absent when the service sent none: keep the last ones
   * @param events in the order of the message, at most 50; unknown types are left out
   * @param unread what of the message could not be read, for people; empty when all of it could
   * @param full whether the body has as many elements as fit: then the statistics may reckon with
   *     events that come in later messages (protocol 4.1, 4.5)
   */
  record Message(
      long messageId,
      @Nullable Statistics statistics,
      List<JobEvent> events,
      List<String> unread,
      boolean full)
      implements PollResult {
    /** Copies the lists. */
    public Message {
      events = List.copyOf(events);
      unread = List.copyOf(unread);
    }
  }
}

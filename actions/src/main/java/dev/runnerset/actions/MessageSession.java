package dev.runnerset.actions;

import org.jspecify.annotations.Nullable;

/**
 * An open message session. One thread polls; {@link #acknowledge}, {@link #cancel} and {@link
 * #close} may be called from others. A 401 renews the session's token once and repeats the call
 * (protocol 3.11); a session that is gone throws with {@link ServiceError.SessionLost}.
 */
public interface MessageSession extends AutoCloseable {
  /** Its id. */
  SessionId id();

  /** The counts at its opening; null when the service sent none, which is unknown and not zero. */
  @Nullable Statistics statistics();

  /**
   * The earliest message after the given one that is not acknowledged. Blocks about 50 s at the
   * service and at most twice that here; then, or after {@link #cancel}, throws.
   *
   * @param lastMessageId 0 for the first
   * @param capacity jobs the set can take, running ones included; at least 0
   */
  PollResult poll(long lastMessageId, int capacity);

  /** Deletes a message, which was applied; one that is gone is no error (protocol 4.4). */
  void acknowledge(long messageId);

  /** Ends the poll under way, and every later one at once, with {@link ServiceError.Cancelled}. */
  void cancel();

  /** Whether the service has confirmed, after {@link #close}, that the session is no more. */
  boolean isEnded();

  /** Cancels, and ends the session at the service; failures to do so are logged. */
  @Override
  void close();
}

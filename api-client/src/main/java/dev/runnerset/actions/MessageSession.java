package dev.runnerset.actions;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An open message session. One thread polls; {@link #acknowledge}, {@link #cancel} and {@link
 * #close} may be called from others. A 401 renews the session's token once and repeats the call
 * (protocol 3.11); a session that is gone throws with {@link ServiceError.SessionLost}.
 */
public interface MessageSession extends AutoCloseable {
  /** The id of the session. */
  SessionId id();

  /** The counts at the opening; null (unknown, not zero) if the service sent none. */
  @Nullable Statistics statistics();

  /**
   * Waits for the earliest message after the given one that is not acknowledged. The service holds
   * the call for about 50 s; after twice that time, or {@link #cancel}, the call throws.
   *
   * @param lastMessageId 0 for the first
   * @param capacity how many jobs the set can take, running ones included; at least 0
   */
  PollResult poll(long lastMessageId, int capacity);

  /**
   * Asks for jobs that the service offers (protocol 3.12). The first of all sets that ask gets a
   * job. After a lost answer the call is sent again, and may then leave out what the first one won.
   *
   * @param requestIds the {@code runnerRequestId} of each job; without any, nothing is sent
   * @return those that this set won; none if the service assigns jobs by itself (protocol 0)
   * @throws ServiceException with {@link ServiceError.SessionLost} if the session is gone
   */
  Set<Long> acquire(List<Long> requestIds);

  /** Deletes an applied message; it is no error if the message is gone (protocol 4.4). */
  void acknowledge(long messageId);

  /** Ends the poll under way, and every later one at once, with {@link ServiceError.Cancelled}. */
  void cancel();

  /** Whether the service has confirmed, after {@link #close}, that the session is no more. */
  boolean isEnded();

  /** Cancels, and ends the session at the service; failures to do so are logged. */
  @Override
  void close();
}

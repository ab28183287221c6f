package dev.runnerset.listener.session;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Where a loop waits, and what it finds when it wakes. One thread takes, any may put. */
public interface Inbox {
  /** The latest wish. */
  DesiredState wish();

  /** The answer to the poll under way, once; null while there is none. */
  @Nullable PollAnswer takeAnswer();

  /**
   * Blocks until something was put since the last return of this method, or the instant has come.
   *
   * @param until null for no bound
   */
  void await(@Nullable Instant until) throws InterruptedException;
}

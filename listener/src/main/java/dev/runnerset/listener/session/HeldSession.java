package dev.runnerset.listener.session;

import dev.runnerset.actions.MessageSession;
import org.jspecify.annotations.Nullable;

/** The session a loop holds, if any. Used by the loop's thread. */
final class HeldSession {
  private final SessionStatus status;
  private @Nullable MessageSession session;
  private @Nullable SessionPoll poll;
  private boolean announced;

  HeldSession(SessionStatus status) {
    this.status = status;
  }

  boolean isHeld() {
    return session != null;
  }

  /** Whether it was polled, so that it may go on under a new fence. */
  boolean isPolled() {
    return session != null && poll != null;
  }

  void opened(MessageSession fresh) {
    session = fresh;
    poll = null;
    announced = false;
  }

  /** It stands in the status: a next holder will find and end it. */
  void announced() {
    announced = true;
  }

  void polledBy(SessionPoll by) {
    poll = by;
  }

  MessageSession session() {
    if (session == null) {
      throw new IllegalStateException("no session is open");
    }
    return session;
  }

  /** How it is polled, or null before that. */
  @Nullable SessionPoll poll() {
    return poll;
  }

  /** It cannot be polled any more; the status keeps its id, for it may be open at the service. */
  void lost() {
    session = null;
    poll = null;
  }

  /** Ends it at the service, if there is one; false if it may still be open there. */
  boolean close() {
    if (session == null) {
      return true;
    }
    session.close();
    var ended = session.isEnded();
    if (ended) {
      status.sessionId(null);
    }
    lost();
    return ended;
  }

  /** Leaves it to whoever holds the fence; of one never announced nobody else knows. */
  void abandon() {
    if (!announced) {
      var _ = close();
    }
    lost();
  }
}

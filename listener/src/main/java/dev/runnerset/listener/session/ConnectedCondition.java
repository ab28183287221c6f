package dev.runnerset.listener.session;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The condition that says whether a set is listened for, as the loop finds out. */
final class ConnectedCondition {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectedCondition.class);

  private final SessionStatus status;
  private final InboxWait waits;

  ConnectedCondition(SessionStatus status, InboxWait waits) {
    this.status = status;
    this.waits = waits;
  }

  /** A session is open; written by the caller, with the session. */
  void good(ListenerSnapshot listener) {
    status.good(
        Conditions.CONNECTED, "SessionOpen", "the message session is open", listener, waits.now());
  }

  /** There is none, and why; written by the caller, with the session's end. */
  void ended(String reason, String message, ListenerSnapshot listener) {
    status.bad(Conditions.CONNECTED, Finding.of(reason, message), listener, waits.now());
  }

  /** Something failed: logged, and written now if it is new. */
  void bad(Finding finding, ListenerSnapshot listener) {
    LOG.atWarn()
        .addKeyValue("listener", listener.name())
        .addKeyValue("reason", finding.reason())
        .addKeyValue("why", finding.message())
        .log("not connected");
    status.bad(Conditions.CONNECTED, finding, listener, waits.now());
    flushQuietly(listener);
  }

  /** The service answered: all is well again. */
  void answered(ListenerSnapshot listener) {
    if (status.isFalse(Conditions.CONNECTED) || status.isDirty()) {
      good(listener);
      flushQuietly(listener);
    }
  }

  private void flushQuietly(ListenerSnapshot listener) {
    try {
      status.flush(listener);
    } catch (KubeRefusal e) {
      // stays wanted: written with the next change
    }
  }
}

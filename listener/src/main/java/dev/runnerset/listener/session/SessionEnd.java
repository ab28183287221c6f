package dev.runnerset.listener.session;

import dev.runnerset.listener.session.DesiredState.Stop;
import dev.runnerset.listener.session.DesiredState.StopReason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How a session is given up: closed and said so, or left to whoever holds the fence now. */
final class SessionEnd {
  private static final Logger LOG = LoggerFactory.getLogger(SessionEnd.class);

  private final SessionStatus status;
  private final ConnectedCondition connected;
  private final Connection connection;
  private final HeldSession held;
  private final InboxWait waits;

  SessionEnd(
      SessionStatus status,
      ConnectedCondition connected,
      Connection connection,
      HeldSession held,
      InboxWait waits) {
    this.status = status;
    this.connected = connected;
    this.connection = connection;
    this.held = held;
    this.waits = waits;
  }

  /** What a wish to stop asks for. */
  void stopped(ListenerSnapshot listener) {
    if (waits.wish() instanceof Stop(var reason)) {
      switch (reason) {
        case SHUTDOWN -> {
          if (held.isHeld()) {
            var _ = close(listener);
            said("Stopped", "the listener was stopped", listener);
          }
        }
        case GONE -> {
          var _ = close(listener);
        }
        case LEASE_LOST -> abandon();
      }
    }
  }

  /** The last write: why there is no session; one that could not be closed stays named. */
  void said(String reason, String message, ListenerSnapshot listener) {
    connected.ended(reason, message, listener);
    try {
      status.flush(listener);
    } catch (LoopExit e) {
      // the object is gone, or another's
    } catch (KubeRefusal e) {
      if (waits.wish() instanceof Stop(var r) && r == StopReason.SHUTDOWN) {
        return; // the next holder deletes a session that is gone
      }
      throw e;
    }
  }

  /** Closes the session at the service, if one is held. False if it may still be open there. */
  boolean close(ListenerSnapshot listener) {
    if (!held.isHeld()) {
      return true;
    }
    var ended = held.close();
    LOG.atInfo()
        .addKeyValue("listener", listener.name())
        .addKeyValue("confirmed", ended)
        .log("session is closed");
    return ended;
  }

  /** Touches no session: another may be the holder by now (SF4). */
  void abandon() {
    held.abandon();
    connection.close();
  }
}

package dev.runnerset.controller.autoscalinglistener;

import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.Timestamps;
import java.time.Duration;
import java.time.Instant;

/**
 * When the finalizer of a deleted listener object may be removed: when its session has ended, or
 * {@link #PATIENCE} after the deletion (DL2).
 */
final class ListenerRelease {
  /** How long the listener has to end its session: a listener that no longer runs never does. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private ListenerRelease() {}

  /** The instant from which the finalizer may be removed; not after {@code now} means now. */
  static Instant at(AutoScalingListener listener, Instant now) {
    var session = listener.statusOrNone().sessionId();
    if (session == null || session.isEmpty()) {
      return now;
    }
    var deleted = Timestamps.parse(listener.getMetadata().getDeletionTimestamp());
    return deleted == null ? now : deleted.plus(PATIENCE);
  }
}

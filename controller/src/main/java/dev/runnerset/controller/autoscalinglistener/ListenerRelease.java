package dev.runnerset.controller.autoscalinglistener;

import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.Timestamps;
import java.time.Instant;

/**
 * When the finalizer of a deleted listener object may be removed: when its session has ended, or
 * {@link ListenerTimes#PATIENCE} after the deletion (DL2).
 */
final class ListenerRelease {
  private ListenerRelease() {}

  /** The instant from which the finalizer may be removed; not after {@code now} means now. */
  static Instant at(AutoScalingListener listener, Instant now) {
    var session = listener.statusOrNone().sessionId();
    if (session == null || session.isEmpty()) {
      return now;
    }
    var deleted = Timestamps.parse(listener.getMetadata().getDeletionTimestamp());
    return deleted == null ? now : deleted.plus(ListenerTimes.PATIENCE);
  }
}

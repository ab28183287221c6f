package dev.runnerset.controller.autoscalinglistener;

import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.Timestamps;
import java.time.Duration;
import java.time.Instant;

/**
 * When a listener object that is being deleted may go: when its session has ended, or when the
 * listener has had time enough for that (DL2). Pure.
 */
final class ListenerRelease {
  /** A listener that is gone ends no session. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private ListenerRelease() {}

  /** The instant from which it may go; not after {@code now} means now. */
  static Instant at(AutoScalingListener listener, Instant now) {
    var status = listener.getStatus();
    if (status == null || status.sessionId() == null || status.sessionId().isEmpty()) {
      return now;
    }
    var deleted = Timestamps.parse(listener.getMetadata().getDeletionTimestamp());
    return deleted == null ? now : deleted.plus(PATIENCE);
  }
}

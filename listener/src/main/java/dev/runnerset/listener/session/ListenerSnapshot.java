package dev.runnerset.listener.session;

import dev.runnerset.crds.AutoScalingListenerSpec;
import dev.runnerset.crds.ServiceConnection;

/** An AutoScalingListener as it was last seen. */
public record ListenerSnapshot(
    String namespace,
    String name,
    String uid,
    long generation,
    AutoScalingListenerSpec spec,
    boolean deleting) {

  /** Whether both are reached by the same connection and session. */
  boolean sameConnection(ListenerSnapshot other) {
    return connection().equals(other.connection());
  }

  /** How it is reached. */
  ServiceConnection connection() {
    return ServiceConnection.of(spec);
  }
}

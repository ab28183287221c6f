package dev.runnerset.listener.session;

import dev.runnerset.crd.AutoScalingListenerSpec;
import dev.runnerset.crd.ServiceConnection;

/** An AutoScalingListener as it was last seen. */
public record Listened(
    String namespace,
    String name,
    String uid,
    long generation,
    AutoScalingListenerSpec spec,
    boolean deleting) {

  /** Whether both are reached by the same connection and session. */
  boolean sameConnection(Listened other) {
    return connection().equals(other.connection());
  }

  /** How it is reached. */
  ServiceConnection connection() {
    return ServiceConnection.of(spec);
  }
}

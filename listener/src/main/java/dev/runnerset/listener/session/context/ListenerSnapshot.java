package dev.runnerset.listener.session.context;

import dev.runnerset.crds.AutoScalingListenerSpec;
import dev.runnerset.crds.ScaleSetIdentity;
import dev.runnerset.crds.ServiceConnection;
import org.jspecify.annotations.Nullable;

/** An AutoScalingListener as the watch last saw it. */
public record ListenerSnapshot(
    String namespace,
    String name,
    String uid,
    long generation,
    AutoScalingListenerSpec spec,
    boolean deleting) {

  /** How the scale set is reached. */
  public ServiceConnection connection() {
    return ServiceConnection.of(spec);
  }

  /** By what the scale set is known; null if nobody wrote it down for this id. */
  public @Nullable ScaleSetIdentity identity() {
    var identity = spec.scaleSet();
    return identity != null && spec.scaleSetId().equals(identity.scaleSetId()) ? identity : null;
  }

  /** Whether one connection and one session serve both. */
  public boolean sameConnection(ListenerSnapshot other) {
    return connection().equals(other.connection());
  }

  /** Whether both report to the same EphemeralRunnerSet. */
  public boolean sameTarget(ListenerSnapshot other) {
    return spec.runnerSet().equals(other.spec.runnerSet());
  }
}

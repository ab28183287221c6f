package dev.runnerset.listener.session;

import dev.runnerset.crd.AutoScalingListenerSpec;

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
    return spec.githubConfigUrl().equals(other.spec.githubConfigUrl())
        && spec.githubConfigSecret().equals(other.spec.githubConfigSecret())
        && spec.scaleSetId().equals(other.spec.scaleSetId())
        && java.util.Objects.equals(spec.proxy(), other.spec.proxy())
        && java.util.Objects.equals(spec.githubServerTLS(), other.spec.githubServerTLS());
  }
}

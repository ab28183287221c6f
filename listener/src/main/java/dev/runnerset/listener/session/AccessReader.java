package dev.runnerset.listener.session;

import dev.runnerset.crds.AutoScalingListenerSpec;

/** Reads the secrets and the config map that a listener object names. */
@FunctionalInterface
public interface AccessReader {
  /**
   * Reads them now; blocks for at most a few requests.
   *
   * @throws UnusableAccessException when they are missing or malformed
   * @throws KubeRefusal when the API server did not answer
   */
  ServiceAccess read(AutoScalingListenerSpec spec);
}

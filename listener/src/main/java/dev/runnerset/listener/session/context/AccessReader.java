package dev.runnerset.listener.session.context;

import dev.runnerset.connection.ConnectionSettings;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.crds.AutoScalingListenerSpec;

/** Reads the secrets and the config map that a listener object names. */
@FunctionalInterface
public interface AccessReader {
  /**
   * Reads them now; blocks for at most a few requests.
   *
   * @throws InvalidConnectionException when they are missing or malformed
   * @throws KubeRefusal when the API server did not answer
   */
  ConnectionSettings read(AutoScalingListenerSpec spec);
}

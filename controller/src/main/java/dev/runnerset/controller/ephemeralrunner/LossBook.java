package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.controller.metrics.LostBy;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerStatus;

/** Keeps what is to be done about lost jobs beyond the life of their runners. Thread-safe. */
@FunctionalInterface
public interface LossBook {
  /** Nothing is done about lost jobs. */
  LossBook NONE = (runner, status, cause) -> {};

  /**
   * Writes a loss down before the runner says that its job is lost, so that no crash loses it. One
   * that is there already changes nothing. Blocks for a request of the API server.
   *
   * @param status what is known of the runner and its job
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if it could not be written: the
   *     pass must be repeated
   */
  void keep(EphemeralRunner runner, EphemeralRunnerStatus status, LostBy cause);
}

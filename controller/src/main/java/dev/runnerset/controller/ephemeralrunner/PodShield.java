package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.ephemeralrunner.lifecycle.ObservedRunner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.Shield;
import dev.runnerset.crds.condition.EventReason;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;

/** Writes the {@link Shield} onto the pod of a runner, by one patch for each change. */
final class PodShield {
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(10);

  private final RunnerActions.Ports ports;

  PodShield(RunnerActions.Ports ports) {
    this.ports = ports;
  }

  /**
   * Blocks for at most one request. A failure is told, and keeps nothing else from being done.
   *
   * @return when to try again
   */
  RequeueTime write(ObservedRunner observed, WriteCache cache) {
    var change = Shield.missing(observed);
    if (change.isEmpty()) {
      return RequeueTime.NEVER;
    }
    var runner = observed.runner();
    try {
      ports
          .objects()
          .shield(runner, change.get())
          .filter(LivePodReader::isLabelled)
          .ifPresent(cache::created);
      return RequeueTime.NEVER;
    } catch (KubernetesClientException e) {
      ports
          .events()
          .warn(
              runner,
              EventReason.SHIELD_FAILED,
              "the controller cannot label the runner's pod, so its job is not shielded; it tries"
                  + " again; "
                  + e.getMessage());
      return RequeueTime.at(ports.clock().instant().plus(AFTER_FAILURE));
    }
  }
}

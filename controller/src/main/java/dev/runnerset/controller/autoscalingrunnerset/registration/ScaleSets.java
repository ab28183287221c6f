package dev.runnerset.controller.autoscalingrunnerset.registration;

import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.controller.events.Events;
import java.time.Clock;

/** Everything that asks the Actions service about the scale sets of runner sets. */
public record ScaleSets(ScaleSetRegistrar registrar, ScaleSetCleanup cleanup, ServiceProbe probe) {
  /** Over these connections. */
  public static ScaleSets of(ServiceConnections connections, Events events, Clock clock) {
    return new ScaleSets(
        new ScaleSetRegistrar(connections, events, clock),
        new ScaleSetCleanup(connections, events, clock),
        new ServiceProbe(connections, clock));
  }

  /** Forgets a runner set that no longer exists. */
  public void forget(String uid) {
    registrar.forget(uid);
    cleanup.forget(uid);
    probe.forget(uid);
  }
}

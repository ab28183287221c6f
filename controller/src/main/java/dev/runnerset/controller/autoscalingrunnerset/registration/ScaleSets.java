package dev.runnerset.controller.autoscalingrunnerset.registration;

import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.memory.Memories;
import java.time.Clock;

/** Everything that asks the Actions service about the scale sets of runner sets. */
public record ScaleSets(ScaleSetRegistrar registrar, ScaleSetCleanup cleanup, ServiceProbe probe) {
  /** Over these connections. */
  public static ScaleSets of(
      ServiceConnections connections, Events events, Memories memories, Clock clock) {
    return new ScaleSets(
        new ScaleSetRegistrar(connections, events, memories, clock),
        new ScaleSetCleanup(connections, events, memories, clock),
        new ServiceProbe(connections, memories, clock));
  }
}

package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.connection.ServiceCalls;
import dev.runnerset.controller.ephemeralrunner.lifecycle.ObservedRunner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerAction;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.crds.EphemeralRunner;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Calls of the service for runners, beside the passes (docs/adr/0110). A pass that sends one stops
 * there. The next pass begins when the call has ended, and goes on with its answer. Thread-safe;
 * one runner is reconciled by one thread at a time.
 */
final class RunnerCalls {
  private static final Slot<Stopped> STOPPED = new Slot<>();

  private final ServiceCalls calls;
  private final Memories memories;

  RunnerCalls(ServiceCalls calls, Memories memories) {
    this.calls = calls;
    this.memories = memories;
  }

  /** What the answer of a call leaves to do in a pass. */
  interface Rest {
    RequeueTime goOn(ObservedRunner observed, WriteCache cache);
  }

  /**
   * Where a pass stopped.
   *
   * @param left the actions after the one that asks
   */
  record Stopped(RequeueTime requeue, List<RunnerAction> left) {}

  /** Whether a call has not ended: it triggers a pass when it does. */
  boolean isUnderWay(EphemeralRunner runner) {
    return calls.isUnderWay(runner);
  }

  /**
   * Sends a call, and goes on with its answer if that is there at once.
   *
   * @return empty if the pass must stop
   */
  Optional<RequeueTime> send(ObservedRunner observed, WriteCache cache, Supplier<Rest> call) {
    return calls
        .askOnce(observed.runner(), Rest.class, call)
        .map(rest -> rest.goOn(observed, cache));
  }

  void stop(EphemeralRunner runner, Stopped at) {
    memories.of(runner).put(STOPPED, at);
  }

  /** Where the last pass stopped, if the answer that it waits for is there and still counts. */
  Optional<Stopped> goOn(ObservedRunner observed, WriteCache cache) {
    var stopped = memories.of(observed.runner()).clear(STOPPED);
    return stopped == null
        ? Optional.empty()
        : calls
            .<Rest>take(observed.runner(), Rest.class)
            .map(rest -> rest.goOn(observed, cache))
            .map(again -> new Stopped(stopped.requeue().or(again), stopped.left()));
  }
}

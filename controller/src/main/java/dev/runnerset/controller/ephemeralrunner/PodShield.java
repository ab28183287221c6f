package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.ephemeralrunner.lifecycle.ObservedRunner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.Shield;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.crds.condition.EventReason;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;

/**
 * Writes the {@link Shield} onto the pod of a runner, by one patch for each change: at once where a
 * job is at stake, the others at most 20 a second for all runners together. Thread-safe.
 */
final class PodShield {
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(10);
  private static final Duration BETWEEN_PATCHES = Duration.ofMillis(50);
  private static final Slot<Instant> TURN = new Slot<>();

  private final RunnerPassEnvironment environment;
  private final Memories memories;
  private Instant nextTurn = Instant.MIN; // guarded by this

  PodShield(RunnerPassEnvironment environment, Memories memories) {
    this.memories = memories;
    this.environment = environment;
  }

  /** When the pod of that runner may be written; the same until it was. */
  private synchronized Instant turn(Slots memory, Instant now) {
    return memory.begin(
        TURN,
        () -> {
          var turn = nextTurn.isAfter(now) ? nextTurn : now;
          nextTurn = turn.plus(BETWEEN_PATCHES);
          return turn;
        });
  }

  /**
   * Blocks for at most one request. A failure is an event, and stops no other step.
   *
   * @return when to try again
   */
  RequeueTime write(ObservedRunner observed, WriteCache cache) {
    var change = Shield.missing(observed);
    var runner = observed.runner();
    var memory = memories.of(runner);
    if (change.isEmpty()) {
      memory.clear(TURN);
      return RequeueTime.NEVER;
    }
    if (!change.get().urgent()) {
      var turn = turn(memory, observed.now());
      if (turn.isAfter(observed.now())) {
        return RequeueTime.at(turn);
      }
    }
    memory.clear(TURN);
    try {
      environment
          .objects()
          .shield(runner, change.get())
          .filter(LivePodReader::isLabelled)
          .ifPresent(cache::created);
      return RequeueTime.NEVER;
    } catch (KubernetesClientException e) {
      environment
          .events()
          .warn(
              runner,
              EventReason.SHIELD_FAILED,
              "the controller cannot label the runner's pod, so its job is not shielded; it tries"
                  + " again; "
                  + e.getMessage());
      return RequeueTime.at(environment.clock().instant().plus(AFTER_FAILURE));
    }
  }
}

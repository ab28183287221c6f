package dev.runnerset.controller.removal;

import dev.runnerset.crds.EphemeralRunnerSet;
import java.time.Instant;

/**
 * Lets the reconciler of a runner ask for a removal within the budget of its set (SD6).
 * Thread-safe.
 */
public interface RemovalRequestGate {
  /** Begins a request; false if it must wait. A request that was begun is ended. */
  boolean begin(EphemeralRunnerSet set, Instant now);

  /** Ends a request; its refusal counts. */
  void end(EphemeralRunnerSet set, RunnerRemover.Outcome outcome, Instant now);
}

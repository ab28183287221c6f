package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.crds.EphemeralRunnerStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to do about a runner now.
 *
 * @param actions in the order in which to carry them out
 * @param requeueAt when to decide again even without an event; null when only an event can change
 *     the decision
 */
public record RunnerDecision(List<RunnerAction> actions, @Nullable Instant requeueAt) {
  /** Copies the list. */
  public RunnerDecision {
    actions = List.copyOf(actions);
  }

  static RunnerDecision nothing() {
    return new RunnerDecision(List.of(), null);
  }

  static RunnerDecision now(RunnerAction... actions) {
    return new RunnerDecision(List.of(actions), null);
  }

  static RunnerDecision write(EphemeralRunnerStatus status) {
    return now(new RunnerAction.WriteStatus(status));
  }

  static RunnerDecision requeue(Instant at, RunnerAction... actions) {
    return new RunnerDecision(List.of(actions), at);
  }
}

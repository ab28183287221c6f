package dev.runnerset.controller.ephemeralrunner;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to do now, in this order, and when to look again though nothing happens.
 *
 * @param requeueAt null when only an event can change the decision
 */
record RunnerDecision(List<RunnerAction> actions, @Nullable Instant requeueAt) {
  RunnerDecision {
    actions = List.copyOf(actions);
  }

  static RunnerDecision nothing() {
    return new RunnerDecision(List.of(), null);
  }

  static RunnerDecision now(RunnerAction... actions) {
    return new RunnerDecision(List.of(actions), null);
  }

  static RunnerDecision lookAgain(Instant at, RunnerAction... actions) {
    return new RunnerDecision(List.of(actions), at);
  }
}

package dev.runnerset.controller.ephemeralrunner.lifecycle;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to do now, in this order, and when to look again though nothing happens.
 *
 * @param requeueAt null when only an event can change the decision
 */
public record RunnerDecision(List<RunnerAction> actions, @Nullable Instant requeueAt) {
  public RunnerDecision {
    actions = List.copyOf(actions);
  }

  public static RunnerDecision nothing() {
    return new RunnerDecision(List.of(), null);
  }

  public static RunnerDecision now(RunnerAction... actions) {
    return new RunnerDecision(List.of(actions), null);
  }

  public static RunnerDecision lookAgain(Instant at, RunnerAction... actions) {
    return new RunnerDecision(List.of(actions), at);
  }
}

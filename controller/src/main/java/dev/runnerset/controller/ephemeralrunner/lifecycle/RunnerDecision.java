package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.crds.EphemeralRunnerStatus;
import java.time.Instant;
import java.util.List;

/**
 * What to do about a runner now.
 *
 * @param actions in the order in which to carry them out
 * @param requeue when to decide again even without an event
 */
public record RunnerDecision(List<RunnerAction> actions, RequeueTime requeue) {
  /** Copies the list. */
  public RunnerDecision {
    actions = List.copyOf(actions);
  }

  static RunnerDecision nothing() {
    return new RunnerDecision(List.of(), RequeueTime.NEVER);
  }

  static RunnerDecision now(RunnerAction... actions) {
    return new RunnerDecision(List.of(actions), RequeueTime.NEVER);
  }

  static RunnerDecision write(EphemeralRunnerStatus status) {
    return now(new RunnerAction.WriteStatus(status));
  }

  /** The same, decided again by then at the latest. */
  RunnerDecision by(Instant latest) {
    return new RunnerDecision(actions, requeue.or(RequeueTime.at(latest)));
  }

  static RunnerDecision requeue(Instant at, RunnerAction... actions) {
    return requeue(RequeueTime.at(at), actions);
  }

  static RunnerDecision requeue(RequeueTime at, RunnerAction... actions) {
    return new RunnerDecision(List.of(actions), at);
  }
}

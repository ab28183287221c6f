package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.crds.EphemeralRunnerStatus;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
    return now();
  }

  static RunnerDecision now(RunnerAction... actions) {
    return new RunnerDecision(List.of(actions), RequeueTime.NEVER);
  }

  static RunnerDecision write(EphemeralRunnerStatus status) {
    return now(new RunnerAction.WriteStatus(status));
  }

  /** Nothing now; it is decided again then. */
  static RunnerDecision at(Instant then) {
    return nothing().by(then);
  }

  /** The registration is removed as soon as the service may be asked for it. */
  static RunnerDecision remove(RemovalReason reason, @Nullable Instant notBefore, Instant now) {
    return notBefore != null && notBefore.isAfter(now)
        ? at(notBefore)
        : now(new RunnerAction.RemoveRegistration(reason));
  }

  /** This decision, made again by then at the latest. */
  RunnerDecision by(@Nullable Instant latest) {
    return new RunnerDecision(actions, requeue.or(RequeueTime.at(latest)));
  }

  /** The same after another action. */
  RunnerDecision after(RunnerAction first) {
    return new RunnerDecision(Stream.concat(Stream.of(first), actions.stream()).toList(), requeue);
  }
}

package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.actions.RemoveRunnerResult;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.metrics.RemovalAnswer;
import dev.runnerset.controller.metrics.RemovedFor;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.ServiceRunnerRemover;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import org.jspecify.annotations.Nullable;

/** Counts the removal requests of scale-down that were sent, by what the service answered. */
public final class RemovalRequests implements ServiceRunnerRemover.Answers {
  private final Meters meters;

  public RemovalRequests(Meters meters) {
    this.meters = meters;
  }

  @Override
  public void answered(EphemeralRunner runner, RemovalReason reason, RemoveRunnerResult answer) {
    var result = word(answer);
    var labels = runner.getMetadata().getLabels();
    if (result != null && labels != null && removedFor(reason) != null) {
      var set = labels.getOrDefault(Labels.SET, "");
      meters.count(
          Meter.SCALE_DOWN_REQUESTS, runner.getMetadata().getNamespace(), set, result.word());
    }
  }

  /** Null if nothing was sent. */
  private static @Nullable RemovalAnswer word(RemoveRunnerResult answer) {
    return switch (answer) {
      case RemoveRunnerResult.Removed(), RemoveRunnerResult.NotFound() -> RemovalAnswer.REMOVED;
      case RemoveRunnerResult.JobStillRunning() -> RemovalAnswer.BUSY;
      case RemoveRunnerResult.Failed(var error) ->
          error instanceof ServiceError.NotSent ? null : RemovalAnswer.ERROR;
    };
  }

  /** Why the runner goes, for the metrics; null if it is no matter of scale-down. */
  static @Nullable RemovedFor removedFor(RemovalReason reason) {
    return switch (reason) {
      case AGE -> RemovedFor.AGE;
      case SCALE_DOWN -> RemovedFor.CAPACITY;
      case REVISION -> RemovedFor.REVISION;
      case EXIT_OVERDUE -> RemovedFor.OVERDUE;
      case FORMER_SCALE_SET -> RemovedFor.SCALE_SET;
      case CORDONED -> RemovedFor.CORDONED;
      case SET_DELETED,
          RUNNER_DELETED,
          ENDED,
          ENDED_UNHEARD,
          ENDED_BY_DELETION,
          START_OVERDUE,
          UNREGISTERED,
          LEFT_OVER ->
          null;
    };
  }
}

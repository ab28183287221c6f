package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.actions.RemoveRunnerResult;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.metrics.RemovalAnswer;
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
    if (result != null && labels != null && reason.isCounted()) {
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
}

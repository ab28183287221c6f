package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.actions.RemoveRunnerResult;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.RemovalAnswer;
import dev.runnerset.controller.ownership.Meta;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.ServiceRunnerRemover;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import org.jspecify.annotations.Nullable;

/** Counts the removal requests of scale-down that were sent, by what the service answered. */
public record RemovalRequests(Meters meters) implements ServiceRunnerRemover.Answers {

  @Override
  public void answered(EphemeralRunner runner, RemovalReason reason, RemoveRunnerResult answer) {
    var result = word(answer);
    if (result != null && reason.isCounted()) {
      var set = Meta.labels(runner).getOrDefault(Labels.SET, "");
      meters
          .of(runner.getMetadata().getNamespace(), set)
          .count(Meter.SCALE_DOWN_REQUESTS, result.word());
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

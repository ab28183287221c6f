package dev.runnerset.controller.autoscalingrunnerset.status;

import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ScaleSetId;
import java.time.Instant;

/** Whether a runner set has its scale set at the service. */
public sealed interface Registration {
  /** The scale set exists, and belongs to the runner set. */
  public record Registered(ScaleSetId id, RunnerGroupId group) implements Registration {}

  /** The service has been asked and has not answered yet; the finding says what was asked. */
  public record Asking(Finding finding) implements Registration {}

  /**
   * There is no scale set, or the controller could not find out; it tries again at that instant.
   */
  public record Failed(Finding finding, Instant retryAt) implements Registration {}
}

package dev.runnerset.controller.autoscalingrunnerset.status;

import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ScaleSetId;
import java.time.Instant;

/** Whether the set has its scale set at the service. */
public sealed interface Registration {
  /** It has. */
  public record Registered(ScaleSetId id, RunnerGroupId group) implements Registration {}

  /** The service is being asked, and has not answered yet; the finding says what is asked where. */
  public record Asking(Finding finding) implements Registration {}

  /** It has not, or that could not be seen. */
  public record Failed(Finding finding, Instant retryAt) implements Registration {}
}

package dev.runnerset.controller.autoscalingrunnerset.status;

import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.crds.ScaleSetProvenance;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Whether a runner set has its scale set at the service. */
public sealed interface Registration {
  /**
   * The scale set exists, and the runner set may use it.
   *
   * @param origin who made it; null if nobody wrote that down
   */
  public record Registered(
      ScaleSetId id, RunnerGroupId group, ScaleSetProvenance.@Nullable Origin origin)
      implements Registration {}

  /** The service has been asked and has not answered yet; the finding says what was asked. */
  public record Asking(Finding finding) implements Registration {}

  /**
   * There is no scale set, or the controller could not find out; it tries again at that instant.
   */
  public record Failed(Finding finding, Instant retryAt) implements Registration {}
}

package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ScaleSetId;
import java.time.Instant;

/** Whether the set has its scale set at the service. */
sealed interface Registration {
  /** It has. */
  record Registered(ScaleSetId id, RunnerGroupId group) implements Registration {}

  /** The service is being asked, and has not answered yet; the finding says what is asked where. */
  record Asking(Finding finding) implements Registration {}

  /** It has not, or that could not be seen. */
  record Failed(Finding finding, Instant retryAt) implements Registration {}
}

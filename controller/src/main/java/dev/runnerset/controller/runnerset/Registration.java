package dev.runnerset.controller.runnerset;

import dev.runnerset.service.RunnerGroupId;
import dev.runnerset.service.ScaleSetId;
import java.time.Instant;

/** Whether the set has its scale set at the service. */
sealed interface Registration {
  /** It has. */
  record Registered(ScaleSetId id, RunnerGroupId group) implements Registration {}

  /** It has not, or that could not be seen. */
  record Failed(Finding finding, Instant retryAt) implements Registration {}
}

package dev.runnerset.controller.retention;

import dev.runnerset.crds.Retention;
import dev.runnerset.crds.condition.RunnerReason;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How the result of a job decides, where {@code outcomeFrom: Job} says it should. Pure. */
public final class JobOutcome {
  private JobOutcome() {}

  /**
   * The reason for which a runner that ended well counts as failed: {@code JobFailed} or {@code
   * JobCanceled}. Empty for a job that went well, for a result nobody knows, and for {@code
   * outcomeFrom: Runner}.
   *
   * @param jobResult as the service spells it, an open set of words (protocol 4.2)
   */
  public static Optional<RunnerReason> failure(
      @Nullable String jobResult, @Nullable Retention live) {
    if (jobResult == null || live == null || live.outcomeFrom() != Retention.OutcomeFrom.JOB) {
      return Optional.empty();
    }
    return switch (jobResult.toLowerCase(Locale.ROOT)) {
      case "failed", "abandoned" -> Optional.of(RunnerReason.JOB_FAILED);
      case "canceled" -> Optional.of(RunnerReason.JOB_CANCELED);
      default -> Optional.empty();
    };
  }
}

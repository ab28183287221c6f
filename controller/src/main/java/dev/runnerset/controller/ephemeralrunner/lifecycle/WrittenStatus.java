package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.controller.ephemeralrunner.outcome.RunnerOutcome;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerStatus;
import org.jspecify.annotations.Nullable;

/**
 * Our part of a runner's status as this process last sent it.
 *
 * @param storedAs the resourceVersion of the runner with that status; null if the server named none
 */
public record WrittenStatus(EphemeralRunnerStatus status, @Nullable String storedAs) {
  /** {@code status} without the fields of the listener and the remover. */
  public static EphemeralRunnerStatus ownPartOf(EphemeralRunnerStatus status) {
    return status.toBuilder()
        .requestId(null)
        .jobId(null)
        .job(null)
        .jobResult(null)
        .removal(null)
        .build();
  }

  /**
   * Whether somebody wiped the status from the runner as it is observed: the status is missing in a
   * later version than its own. A cache that is behind shows an earlier version, and what is
   * written again has a later version than the wipe.
   */
  public boolean isWipedFrom(EphemeralRunner observed) {
    var status = observed.statusOrNone();
    return isLater(observed.getMetadata().getResourceVersion(), storedAs) && isMissingIn(status);
  }

  /**
   * A terminal status must stay terminal. Before that any phase will do: the observed phase may be
   * that of a later write of ours whose answer was lost.
   */
  private boolean isMissingIn(EphemeralRunnerStatus observed) {
    return status.isTerminal()
        ? !observed.isTerminal() || RunnerOutcome.of(observed).isEmpty()
        : observed.phase() == null;
  }

  /** Compares versions as numbers; of versions that are none nothing is known. */
  private static boolean isLater(@Nullable String version, @Nullable String than) {
    if (version == null || than == null) {
      return false;
    }
    try {
      return Long.parseLong(version) > Long.parseLong(than);
    } catch (NumberFormatException e) {
      return false;
    }
  }
}

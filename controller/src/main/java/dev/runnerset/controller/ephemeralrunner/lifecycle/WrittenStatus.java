package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.controller.retention.Outcome;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerStatus;
import org.jspecify.annotations.Nullable;

/**
 * Our part of a runner's status as we last sent it. Pure.
 *
 * @param storedAs the resourceVersion of the runner with it; null when the server told none
 */
public record WrittenStatus(EphemeralRunnerStatus status, @Nullable String storedAs) {

  /**
   * Whether somebody wiped it: it is missing in a version later than its own. A cache that is
   * behind shows an earlier one, and what is written again has a later version than the wipe.
   */
  public boolean isWipedFrom(EphemeralRunner seen) {
    var heard = seen.getStatus() == null ? EphemeralRunnerStatus.NONE : seen.getStatus();
    return isLater(seen.getMetadata().getResourceVersion(), storedAs) && isMissingIn(heard);
  }

  /**
   * An end stays an end. Before it any phase will do: it may be that of a later write of ours whose
   * answer was lost.
   */
  private boolean isMissingIn(EphemeralRunnerStatus heard) {
    return status.isTerminal()
        ? !heard.isTerminal() || Outcome.of(heard).isEmpty()
        : heard.phase() == null;
  }

  /** As numbers, which they are; of any others nothing is known. */
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

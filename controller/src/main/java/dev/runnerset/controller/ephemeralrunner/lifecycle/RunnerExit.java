package dev.runnerset.controller.ephemeralrunner.lifecycle;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a runner's container ended, as the er reconciler read it off the pod; a status patch for it
 * is spared where the runner is deleted at once (RN14).
 *
 * @param at when this process first saw the end, by our own clock: the settle window, deadlines and
 *     retention run from then, since the clock of a node may differ from ours
 * @param exitCode of the container named runner
 * @param podDeleted whether its pod was being deleted when the end was first seen
 */
public record RunnerExit(Instant at, int exitCode, boolean podDeleted) {
  /**
   * More than any clock of a working node is wrong. An end that the node dates further back is old,
   * so that restarts of this process do not begin the settle window anew for ever.
   */
  public static final Duration LARGEST_CLOCK_ERROR = Duration.ofHours(1);

  /**
   * The end of a container that is seen now.
   *
   * @param known the end as this process saw it before
   * @param toldByNode when it ended by the clock of its node
   */
  public static RunnerExit seen(
      @Nullable RunnerExit known, int exitCode, @Nullable Instant toldByNode, Instant now) {
    var first = known == null ? now : known.at();
    var latest = toldByNode == null ? first : toldByNode.plus(LARGEST_CLOCK_ERROR);
    return new RunnerExit(latest.isBefore(first) ? latest : first, exitCode);
  }

  /** Of a pod that nobody was deleting. */
  public RunnerExit(Instant at, int exitCode) {
    this(at, exitCode, false);
  }
}

package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.base.Detail;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a runner's container ended, as the reconciler read it off the pod. The exit of a runner that
 * is deleted at once is written to no status (RN14).
 *
 * @param at when this process first saw the exit, by its own clock: the settle window, deadlines
 *     and retention count from here, since the clock of a node may differ
 * @param exitCode the exit code of the container named runner
 * @param podDeleted whether somebody was deleting the pod when the exit was first seen
 */
public record RunnerExit(Instant at, int exitCode, boolean podDeleted) {
  /**
   * No working node's clock is wrong by more than this. If the node dates the exit further back,
   * the exit is old; else each restart of this process would begin the settle window again.
   */
  @Detail static final Duration LARGEST_CLOCK_ERROR = Duration.ofHours(1);

  /**
   * The exit of a container that is observed now.
   *
   * @param known the exit as this process saw it before
   * @param finishedAt when the container ended by the clock of its node
   */
  public static RunnerExit seen(
      @Nullable RunnerExit known, int exitCode, @Nullable Instant finishedAt, Instant now) {
    var first = known == null ? now : known.at();
    var latest = finishedAt == null ? first : finishedAt.plus(LARGEST_CLOCK_ERROR);
    return new RunnerExit(latest.isBefore(first) ? latest : first, exitCode);
  }

  /** The exit of a runner whose pod nobody was deleting. */
  public RunnerExit(Instant at, int exitCode) {
    this(at, exitCode, false);
  }
}

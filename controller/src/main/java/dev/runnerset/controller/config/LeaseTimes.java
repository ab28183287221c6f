package dev.runnerset.controller.config;

import java.time.Duration;

/**
 * How long the lease of the leading controller lasts without renewal, how long renewal is tried,
 * and how often.
 */
public record LeaseTimes(Duration lasts, Duration renewWithin, Duration retryEvery) {
  /** At most this long what is under way may end. */
  private static final Duration LONGEST_TERMINATION = Duration.ofSeconds(3);

  /**
   * The arithmetic: 8 s until renewal is given up, 3 s for what is under way, and 4 s of margin for
   * clocks that differ in speed and for a renewal that hangs, before another may lead at 15 s.
   */
  public static final LeaseTimes DEFAULT =
      new LeaseTimes(Duration.ofSeconds(15), Duration.ofSeconds(8), Duration.ofSeconds(2));

  /** Rejects times with which two could lead at once. */
  public LeaseTimes {
    if (!retryEvery.isPositive()
        || renewWithin.compareTo(retryEvery) <= 0
        || lasts.compareTo(renewWithin) <= 0) {
      throw new IllegalArgumentException(
          "the lease must last longer than its renewal is tried, and that longer than the time"
              + " between two tries");
    }
  }

  /**
   * How long what is under way may take once renewal was given up: at most half of what is left of
   * the lease then. The other half is the margin.
   */
  public Duration termination() {
    var half = lasts.minus(renewWithin).dividedBy(2);
    return half.compareTo(LONGEST_TERMINATION) < 0 ? half : LONGEST_TERMINATION;
  }
}

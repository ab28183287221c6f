package dev.runnerset.controller.config;

import java.time.Duration;

/**
 * The times of the leading controller's lease.
 *
 * @param lasts how long the lease lasts without a renewal
 * @param renewWithin how long the leader tries to renew it before it stops
 * @param retryEvery the time between two tries
 */
public record LeaseTimes(Duration lasts, Duration renewWithin, Duration retryEvery) {
  /** The longest time for work that is under way to end. */
  private static final Duration LONGEST_TERMINATION = Duration.ofSeconds(3);

  /**
   * 8 s until the leader gives renewal up, 3 s for work under way, and 4 s of margin, for clocks
   * that differ in speed and for a renewal that hangs. After 15 s another process may lead.
   */
  public static final LeaseTimes DEFAULT =
      new LeaseTimes(Duration.ofSeconds(15), Duration.ofSeconds(8), Duration.ofSeconds(2));

  /** Rejects times with which two processes could lead at once. */
  public LeaseTimes {
    if (!retryEvery.isPositive()
        || renewWithin.compareTo(retryEvery) <= 0
        || lasts.compareTo(renewWithin) <= 0) {
      throw new IllegalArgumentException(
          "--lease-duration must be longer than --renew-deadline, and that longer than"
              + " --retry-period, which must be positive");
    }
  }

  /**
   * How long work under way may take after the leader gave renewal up: at most half of the rest of
   * the lease. The other half is the margin.
   */
  public Duration termination() {
    var half = lasts.minus(renewWithin).dividedBy(2);
    return half.compareTo(LONGEST_TERMINATION) < 0 ? half : LONGEST_TERMINATION;
  }
}

package dev.runnerset.controller.config;

import java.time.Duration;

/**
 * How long the lease of the leading controller lasts without renewal, how long renewal is tried,
 * and how often.
 */
public record LeaseTimes(Duration lasts, Duration renewWithin, Duration retryEvery) {
  /** The times that Kubernetes' own controllers use. */
  public static final LeaseTimes DEFAULT =
      new LeaseTimes(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

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
}

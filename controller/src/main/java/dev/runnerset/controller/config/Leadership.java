package dev.runnerset.controller.config;

import java.time.Duration;

/**
 * How this process competes for the lease of the leading controller, and how often the leader
 * sweeps.
 *
 * @param identity the name of this process among its replicas
 * @param times how long the lease lasts, and how it is renewed
 * @param sweepPeriod how often the leader looks for what is left over (RN20)
 */
public record Leadership(String identity, LeaseTimes times, Duration sweepPeriod) {
  private static final Duration SWEEP_PERIOD = Duration.ofMinutes(1);

  /** Rejects an empty name with a sentence for the user. */
  public Leadership {
    if (identity.isBlank()) {
      throw new IllegalArgumentException("--identity must not be empty");
    }
  }

  /** The same with the usual sweeps. */
  public Leadership(String identity, LeaseTimes times) {
    this(identity, times, SWEEP_PERIOD);
  }
}

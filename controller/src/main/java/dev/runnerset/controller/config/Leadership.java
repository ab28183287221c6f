package dev.runnerset.controller.config;

/**
 * How this process competes for the lease of the leading controller.
 *
 * @param identity the name of this process among its replicas
 * @param times how long the lease lasts, and how it is renewed
 */
public record Leadership(String identity, LeaseTimes times) {
  /** Rejects an empty name with a sentence for the user. */
  public Leadership {
    if (identity.isBlank()) {
      throw new IllegalArgumentException("--identity must not be empty");
    }
  }
}

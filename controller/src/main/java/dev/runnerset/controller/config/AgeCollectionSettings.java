package dev.runnerset.controller.config;

import java.time.Duration;

/**
 * When idle runners are collected for their age.
 *
 * @param maximumAge one that is idle for longer goes; zero for never; a set may say otherwise
 * @param minimumAge none goes before that time since its creation
 * @param period the time between two sweeps; a runner may go that much late
 */
public record AgeCollectionSettings(Duration maximumAge, Duration minimumAge, Duration period) {
  // before the defaults, which are checked against it
  private static final Duration SHORTEST_PERIOD = Duration.ofSeconds(1);

  /** No runner goes for its age, unless a set says so. */
  public static final AgeCollectionSettings DEFAULT =
      new AgeCollectionSettings(Duration.ZERO, Duration.ofMinutes(2), Duration.ofMinutes(5));

  /** Rejects what cannot be, with a sentence that names the flag. */
  public AgeCollectionSettings {
    notNegative("--runner-maximum-gc-age", maximumAge);
    notNegative("--runner-minimum-gc-age", minimumAge);
    if (maximumAge.isPositive() && maximumAge.compareTo(minimumAge) <= 0) {
      throw new IllegalArgumentException(
          "--runner-maximum-gc-age must be longer than --runner-minimum-gc-age, or 0s for off");
    }
    if (period.compareTo(SHORTEST_PERIOD) < 0) {
      throw new IllegalArgumentException("--runner-gc-period must be at least 1s");
    }
  }

  /** Rejects an age that would be ignored, since its feature gate is off (AC1). */
  void check(FeatureGates gates) {
    var gate = FeatureGate.RUNNER_MAXIMUM_GC_AGE;
    if (maximumAge.isPositive() && !gates.isOn(gate)) {
      throw new IllegalArgumentException(
          "--runner-maximum-gc-age is set, but the feature gate "
              + gate.word()
              + " is off: add --feature-gates "
              + gate.word()
              + "=true, or leave the age out");
    }
  }

  private static void notNegative(String flag, Duration value) {
    if (value.isNegative()) {
      throw new IllegalArgumentException(flag + " must not be negative");
    }
  }
}

package dev.runnerset.controller.config;

import dev.runnerset.base.Detail;
import java.time.Duration;

/**
 * When idle runners are removed for their age.
 *
 * @param maximumAge a runner that is idle for longer is removed; zero for never; a set may differ
 * @param minimumAge no runner is removed sooner after its creation
 * @param period the time between two sweeps; a runner may be removed that much later
 */
public record AgeCollectionSettings(Duration maximumAge, Duration minimumAge, Duration period) {
  // declared before DEFAULT, whose constructor reads it
  /** The lower bound of a flag, which names it to users. */
  @Detail private static final Duration SHORTEST_PERIOD = Duration.ofSeconds(1);

  /** No runner is removed for its age, unless a set says so. */
  public static final AgeCollectionSettings DEFAULT =
      new AgeCollectionSettings(Duration.ZERO, Duration.ofMinutes(2), Duration.ofMinutes(5));

  /** Rejects impossible values with a sentence that names the flag. */
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

  /** Rejects an age that would be ignored because its feature gate is off (AC1). */
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

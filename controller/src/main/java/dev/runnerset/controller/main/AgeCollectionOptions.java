package dev.runnerset.controller.main;

import dev.runnerset.controller.config.AgeCollectionSettings;
import dev.runnerset.controller.config.FeatureGates;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Feature gates, and what the one for age collection turns on. */
final class AgeCollectionOptions {
  @Option(
      names = "--feature-gates",
      paramLabel = "NAME=true|false",
      defaultValue = "",
      description = "features to turn on or off, with commas between them: docs/feature-gates.md")
  private String gates = "";

  @Option(
      names = "--runner-maximum-gc-age",
      paramLabel = "TIME",
      defaultValue = "0s",
      converter = DurationText.class,
      description =
          "collect a runner that is idle for longer; 0s for never; needs the feature gate"
              + " RunnerMaximumGCAge (default: ${DEFAULT-VALUE})")
  private Duration maximumAge = AgeCollectionSettings.DEFAULT.maximumAge();

  @Option(
      names = "--runner-minimum-gc-age",
      paramLabel = "TIME",
      defaultValue = "2m",
      converter = DurationText.class,
      description = "but none that was made less than this ago (default: ${DEFAULT-VALUE})")
  private Duration minimumAge = AgeCollectionSettings.DEFAULT.minimumAge();

  @Option(
      names = "--runner-gc-period",
      paramLabel = "TIME",
      defaultValue = "5m",
      converter = DurationText.class,
      description = "between two looks for such runners, at least 1s (default: ${DEFAULT-VALUE})")
  private Duration period = AgeCollectionSettings.DEFAULT.period();

  FeatureGates gates() {
    return FeatureGates.parse(gates);
  }

  AgeCollectionSettings ages() {
    return new AgeCollectionSettings(maximumAge, minimumAge, period);
  }
}

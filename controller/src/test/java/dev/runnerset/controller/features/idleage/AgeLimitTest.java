package dev.runnerset.controller.features.idleage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.config.AgeCollectionSettings;
import dev.runnerset.controller.config.FeatureGates;
import dev.runnerset.crds.GarbageCollection;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Gate, operator's value, set's value (AC1). */
class AgeLimitTest {
  private static final FeatureGates ON = FeatureGates.parse("RunnerMaximumGCAge=true");

  @ParameterizedTest(name = "gate {0}, operator {1} min, set {2}: {3}")
  @CsvSource({
    "true, 0, , off",
    "true, 60, , 60",
    "true, 60, 24h, 1440",
    "true, 0, 24h, 1440",
    "true, 60, 0s, off",
    "true, 60, 0h0m, off",
    "true, 60, 2m, MaximumIdleAgeInvalid",
    "true, 60, 2m1ms, 2",
    "true, 60, 1d, MaximumIdleAgeInvalid",
    "true, 60, -5m, MaximumIdleAgeInvalid",
    "true, 60, '', MaximumIdleAgeInvalid",
    "false, 0, , off",
    "false, 0, 24h, FeatureGateOff",
    "false, 0, 1d, FeatureGateOff",
    "false, 0, 0s, off",
  })
  void theGateStandsAboveTheSetAndTheSetAboveTheOperator(
      boolean gate, int operator, String written, String expected) {
    var limit =
        AgeLimit.of(
            gate ? ON : FeatureGates.DEFAULTS,
            settings(operator),
            written == null ? null : new GarbageCollection(written, null));
    var word =
        switch (limit) {
          case AgeLimit.Off() -> "off";
          case AgeLimit.After(var maximum) -> "" + maximum.toMinutes();
          case AgeLimit.Refused(var reason, var message) -> {
            assertThat(message).contains("spec.garbageCollection.maximumIdleAge");
            yield reason.word();
          }
        };
    assertThat(word).isEqualTo(expected);
  }

  @Test
  void aRefusalNamesTheGate() {
    var block = new GarbageCollection("24h", null);
    assertThat(AgeLimit.of(FeatureGates.DEFAULTS, settings(0), block))
        .isInstanceOfSatisfying(
            AgeLimit.Refused.class,
            r -> assertThat(r.message()).contains("--feature-gates RunnerMaximumGCAge=true"));
  }

  @Test
  void aBlockWithoutAnAgeFollowsTheOperator() {
    var block = new GarbageCollection(null, GarbageCollection.Afterwards.RELEASE);
    assertThat(AgeLimit.of(ON, settings(60), block))
        .isEqualTo(new AgeLimit.After(Duration.ofHours(1)));
  }

  private static AgeCollectionSettings settings(int maximumMinutes) {
    return new AgeCollectionSettings(
        Duration.ofMinutes(maximumMinutes), Duration.ofMinutes(2), Duration.ofMinutes(5));
  }
}

package dev.runnerset.controller.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgeCollectionSettingsTest {
  private static final FeatureGates ON = FeatureGates.parse("RunnerMaximumGCAge=true");

  @Test
  void theDefaultsAreThese() {
    assertThat(AgeCollectionSettings.DEFAULT)
        .isEqualTo(
            new AgeCollectionSettings(Duration.ZERO, Duration.ofMinutes(2), Duration.ofMinutes(5)));
  }

  @ParameterizedTest(name = "maximum {0} s, minimum {1} s, period {2} s")
  @CsvSource({
    "-1, 120, 300, --runner-maximum-gc-age",
    "0, -1, 300, --runner-minimum-gc-age",
    "119, 120, 300, --runner-maximum-gc-age",
    "120, 120, 300, --runner-maximum-gc-age",
    "0, 120, 0, --runner-gc-period",
    "0, 120, -5, --runner-gc-period"
  })
  void whatCannotBeIsRefusedByItsFlag(int maximum, int minimum, int period, String flag) {
    assertThatThrownBy(() -> settings(maximum, minimum, period)).hasMessageContaining(flag);
  }

  @ParameterizedTest
  @CsvSource({"0, 120, 300", "121, 120, 300", "1, 0, 1", "0, 0, 1"})
  void theRestIsTaken(int maximum, int minimum, int period) {
    assertThatCode(() -> settings(maximum, minimum, period)).doesNotThrowAnyException();
  }

  @Test
  void anAgeWithTheGateOffIsRefusedNamingTheGate() {
    var ages = settings(180, 120, 300);
    var start = ControllerSettings.of("me");
    assertThatThrownBy(() -> ChangedSettings.withAgeCollection(start, FeatureGates.DEFAULTS, ages))
        .hasMessageContaining("RunnerMaximumGCAge")
        .hasMessageContaining("--runner-maximum-gc-age");
    assertThat(ChangedSettings.withAgeCollection(start, ON, ages).ageCollection()).isEqualTo(ages);
  }

  @Test
  void theGateAloneIsTaken() {
    assertThatCode(() ->
            ChangedSettings.withAgeCollection(
                ControllerSettings.of("me"), ON, AgeCollectionSettings.DEFAULT))
        .doesNotThrowAnyException();
  }

  private static AgeCollectionSettings settings(int maximum, int minimum, int period) {
    return new AgeCollectionSettings(
        Duration.ofSeconds(maximum), Duration.ofSeconds(minimum), Duration.ofSeconds(period));
  }
}

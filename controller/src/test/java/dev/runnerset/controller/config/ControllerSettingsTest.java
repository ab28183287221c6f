package dev.runnerset.controller.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ControllerSettingsTest {
  @Test
  void theDefaultsAreThese() {
    var settings = ControllerSettings.of("me");
    assertThat(settings.places().watched()).isEmpty();
    assertThat(settings.places().controllerNamespace()).isEqualTo("runnerset-system");
    assertThat(settings.places().listenerNamespace()).isEqualTo("runnerset-listener");
    assertThat(settings.places().listenerServiceAccount()).isEqualTo("runnerset-listener");
    assertThat(settings.concurrency()).isEqualTo(32);
    assertThat(settings.protectionWindow()).isEqualTo(Duration.ofSeconds(10));
    assertThat(settings.leadership().times().lasts()).isEqualTo(Duration.ofSeconds(15));
  }

  @Test
  void aLeaseThatEndsBeforeItsRenewalIsRefused() {
    var second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new LeaseTimes(second, second, second))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(new LeaseTimes(second.multipliedBy(3), second.multipliedBy(2), second)).isNotNull();
  }

  /** Renewal, then what is under way, then a margin for clocks: only then another may lead. */
  @ParameterizedTest(name = "{0}")
  @MethodSource
  void aLeaderHasEndedBeforeItsLease(LeaseTimes times) {
    var ended = times.renewWithin().plus(times.termination());
    var margin = times.lasts().minus(ended);
    assertThat(times.termination()).isPositive();
    assertThat(margin).isGreaterThanOrEqualTo(times.termination());
  }

  static Stream<LeaseTimes> aLeaderHasEndedBeforeItsLease() {
    return Stream.of(
        LeaseTimes.DEFAULT,
        new LeaseTimes(Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofSeconds(1)),
        new LeaseTimes(Duration.ofSeconds(60), Duration.ofSeconds(40), Duration.ofSeconds(5)));
  }

  @Test
  void theDefaultTimesLeaveFourSecondsOfMargin() {
    var times = LeaseTimes.DEFAULT;
    assertThat(times.renewWithin()).isEqualTo(Duration.ofSeconds(8));
    assertThat(times.termination()).isEqualTo(Duration.ofSeconds(3));
  }
}

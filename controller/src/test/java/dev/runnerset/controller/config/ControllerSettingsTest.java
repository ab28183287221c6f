package dev.runnerset.controller.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ControllerSettingsTest {
  @Test
  void theDefaultsAreThese() {
    var settings = ControllerSettings.of("me");
    assertThat(settings.namespaces()).isEmpty();
    assertThat(settings.controllerNamespace()).isEqualTo("runnerset-system");
    assertThat(settings.listenerNamespace()).isEqualTo("runnerset-listener");
    assertThat(settings.listenerServiceAccount()).isEqualTo("runnerset-listener");
    assertThat(settings.concurrency()).isEqualTo(32);
    assertThat(settings.protectionWindow()).isEqualTo(Duration.ofSeconds(10));
    assertThat(settings.lease().lasts()).isEqualTo(Duration.ofSeconds(15));
  }

  @Test
  void aLeaseThatEndsBeforeItsRenewalIsRefused() {
    var second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new LeaseTimes(second, second, second))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(new LeaseTimes(second.multipliedBy(3), second.multipliedBy(2), second)).isNotNull();
  }
}

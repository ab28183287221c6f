package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.config.AgeCollectionSettings;
import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.controller.config.FeatureGates;
import dev.runnerset.controller.config.LeaseTimes;
import dev.runnerset.controller.references.EmbeddedStatus;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class EffectiveSettingsTest {
  /** Of the process, not of what it does with its sets. */
  private static final Set<String> NOT_TOLD =
      Set.of("--help", "--version", "--kubeconfig", "--health-port");

  @Test
  void everyFlagIsToldUnderItsName() {
    var flags =
        new CommandLine(new ControllerMain())
            .getCommandSpec().options().stream()
                .map(option -> option.longestName())
                .filter(name -> !NOT_TOLD.contains(name))
                .map(name -> name.substring(2))
                .toList();
    assertThat(EffectiveSettings.of(ControllerSettings.of("me")).keySet())
        .containsExactlyInAnyOrderElementsOf(flags);
  }

  @Test
  void eachFlagIsToldWithItsOwnValue() {
    var settings =
        new ControllerSettings(
            Set.of("b", "a"),
            "controllers",
            "listeners",
            "ears",
            "me",
            new LeaseTimes(Duration.ofSeconds(9), Duration.ofSeconds(6), Duration.ofMillis(1500)),
            7,
            Duration.ZERO,
            FeatureGates.parse("RunnerMaximumGCAge=true"),
            new AgeCollectionSettings(
                Duration.ofHours(25), Duration.ofMinutes(3), Duration.ofMinutes(4)),
            EmbeddedStatus.BOTH);
    assertThat(EffectiveSettings.of(settings))
        .hasToString(
            "{namespace=[a, b], controller-namespace=controllers, listener-namespace=listeners,"
                + " listener-service-account=ears, identity=me, lease-duration=9s,"
                + " renew-deadline=6s, retry-period=1s500ms, runner-concurrency=7,"
                + " protection-window=0s, feature-gates={RunnerMaximumGCAge=true},"
                + " runner-maximum-gc-age=25h, runner-minimum-gc-age=3m, runner-gc-period=4m,"
                + " embedded-status=both}");
  }
}

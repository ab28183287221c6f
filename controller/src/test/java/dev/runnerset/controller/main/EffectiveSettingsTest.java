package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.config.ControllerSettings;
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
}

package dev.runnerset.controller.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FeatureGatesTest {
  private static final FeatureGate AGE = FeatureGate.RUNNER_MAXIMUM_GC_AGE;

  @Test
  void anAlphaFeatureIsOffUntilItIsTurnedOn() {
    assertThat(AGE.stage()).isEqualTo(FeatureGate.Stage.ALPHA);
    assertThat(FeatureGates.DEFAULTS.isOn(AGE)).isFalse();
    assertThat(FeatureGates.parse("RunnerMaximumGCAge=true").isOn(AGE)).isTrue();
    assertThat(FeatureGates.parse(" RunnerMaximumGCAge=true ").isOn(AGE)).isTrue();
    assertThat(FeatureGates.parse("RunnerMaximumGCAge=false").on()).isEqualTo(Set.of());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Nothing=true",
        "runnermaximumgcage=true",
        "ImageGCMaximumAge=true",
        "RunnerMaximumGCAge",
        "RunnerMaximumGCAge=",
        "RunnerMaximumGCAge=True",
        "RunnerMaximumGCAge=1",
        "RunnerMaximumGCAge=true=true",
        "RunnerMaximumGCAge=true,",
        "=true",
        "RunnerMaximumGCAge=true,RunnerMaximumGCAge=false"
      })
  void whatIsNotUnderstoodIsRefusedInOneLine(String text) {
    assertThatThrownBy(() -> FeatureGates.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("feature gate")
        .message()
        .doesNotContain("\n");
  }

  @Test
  void thePageSaysWhatCanBeTurnedOn() throws IOException {
    var page = Path.of("..", "docs", "reference", "feature-gates.md");
    var wanted =
        """
        # Feature gates

        `--feature-gates NAME=true,OTHER=false` of the controller turns features on or off. With an unknown name or value the
        controller does not start. `/configz` and the line `the settings are these` of the log show the current settings. A test
        generates this page from `FeatureGate.java`; run it with `-Drunnerset.write=true` to write the page.

        | gate | stage | default | turns on |
        |---|---|---|---|
        """
            + Stream.of(FeatureGate.values())
                .map(FeatureGatesTest::row)
                .collect(Collectors.joining());
    if (Boolean.getBoolean("runnerset.write")) {
      Files.writeString(page, wanted);
    }
    assertThat(page).content().isEqualTo(wanted);
  }

  private static String row(FeatureGate gate) {
    return "| `%s` | %s | %s | %s |\n"
        .formatted(
            gate.word(),
            gate.stage().name().toLowerCase(Locale.ROOT),
            gate.isOnByDefault(),
            gate.what());
  }
}

package dev.runnerset.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.cli.text.Screen;
import dev.runnerset.crds.AutoScalingRunnerSet;
import org.junit.jupiter.api.Test;

/** 42.1: {@code kubectl runnerset top}. */
final class TopIT {
  @Test
  void theFleetIsCountedAndWhatHurtsMostComesFirst() {
    try (var fleet =
        new Fleet()
            .set(
                "ci",
                "linux",
                "",
                "{conditions: [{type: Ready, status: \"True\", reason: Ready, message: fine}],"
                    + " runners: {desired: 5, live: 5, pending: 1, idle: 1, busy: 3},"
                    + " jobs: {assigned: 4, running: 3, waiting: 1}}")
            .set(
                "ci",
                "gpu",
                "",
                "{conditions: [{type: Ready, status: \"False\", reason: SecretNotFound, message: create it}]}")) {
      var once = Terminal.of(fleet.config()).with(new Screen(60, true, false)).run("top", "--once");
      assertThat(once.exitCode()).as(once.err()).isZero();
      var lines = once.out().lines().toList();
      assertThat(lines)
          .startsWith("sets 2, wrong 1 | starting 1, idle 1, busy 3 | jobs waiting 1")
          .allMatch(line -> line.length() <= 60 || line.startsWith("sets"));
      assertThat(once.out()).containsSubsequence("SET", "gpu", "create it", "linux");
      var pipe = Terminal.of(fleet.config()).with(new Screen(80, false, false)).run("top");
      assertThat(pipe.exitCode()).isZero();
      assertThat(pipe.out()).doesNotContain("\u001B");
    }
  }

  @Test
  void itIsRedrawnInPlaceUntilTheTerminalIsClosed() {
    try (var fleet = new Fleet().set("ci", "linux", "", "")) {
      var terminal = Terminal.of(fleet.config());
      terminal.meanwhile(time -> {
        if (fleet
                .client()
                .resources(AutoScalingRunnerSet.class)
                .inNamespace("ci")
                .withName("gpu")
                .get()
            == null) {
          fleet.set("ci", "gpu", "", "");
        } else {
          terminal.close();
        }
      });
      var shown = terminal.run("top");
      var pages = shown.out().split("\u001B\\[H");
      assertThat(pages).hasSize(3);
      assertThat(pages[1]).startsWith("sets 1,").doesNotContain("gpu").contains("linux");
      assertThat(pages[2]).startsWith("sets 2,").contains("gpu", "linux").endsWith("\u001B[J");
    }
  }
}

package dev.runnerset.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.demo.scenario.DemoOptions;
import dev.runnerset.demo.scenario.Scenario;
import dev.runnerset.simulator.service.Flavour;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Runs a scenario of the demo as a test: the programs are processes, the figures the servers'. */
final class Rehearsals {
  private Rehearsals() {}

  /** {@code jobs} and {@code runners} of 0 stand for the scenario's own numbers. */
  static void run(Scenario scenario, int jobs, int runners, boolean realServer, Path folder)
      throws IOException {
    var options =
        new DemoOptions(
            scenario,
            jobs == 0 ? Optional.empty() : Optional.of(jobs),
            runners == 0 ? Optional.empty() : Optional.of(runners),
            Optional.empty(),
            realServer,
            Optional.empty(),
            Flavour.BROKER,
            Duration.ofSeconds(1),
            true);
    var report = new Rehearsal(options, folder).run();
    assertThat(report.checks()).as("checks of %s", scenario.word()).isNotEmpty();
    assertThat(report.checks().stream().filter(c -> !c.ok()))
        .as("checks of %s that do not hold", scenario.word())
        .isEmpty();
  }
}

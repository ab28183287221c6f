package dev.runnerset.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** Runs a scenario of the demo as a test: the programs are processes, the figures the servers'. */
final class Rehearsals {
  private static final Clock CLOCK = Clock.systemUTC();

  private Rehearsals() {}

  static Figures.Report run(
      Scenario scenario, int jobs, int runners, boolean realServer, Path folder)
      throws IOException {
    return run(options(scenario, jobs, runners, realServer, ChaosOptions.DEFAULTS), folder);
  }

  static Figures.Report chaos(ChaosOptions chaos, Path folder) throws IOException {
    return run(options(Scenario.CHAOS, 0, 0, true, chaos), folder);
  }

  private static Figures.Report run(DemoOptions options, Path folder) throws IOException {
    var scenario = options.scenario();
    var report = new Rehearsal(options, folder).run();
    assertThat(report.checks()).as("checks of %s", scenario.word()).isNotEmpty();
    assertThat(report.checks().stream().filter(c -> !c.ok()))
        .as("checks of %s that do not hold", scenario.word())
        .isEmpty();
    return report;
  }

  /** A world on the real server, not yet started, for tests that play something of their own. */
  static World world(RealCluster cluster, Scenario scenario, Path folder) {
    return world(cluster, scenario, folder, progress());
  }

  static World world(RealCluster cluster, Scenario scenario, Path folder, Progress progress) {
    return new World(
        cluster, options(scenario, 0, 0, true, ChaosOptions.DEFAULTS), folder, progress, CLOCK);
  }

  static Progress progress() {
    return new Progress(System.out, false, CLOCK);
  }

  /** {@code jobs} and {@code runners} of 0 stand for the scenario's own numbers. */
  private static DemoOptions options(
      Scenario scenario, int jobs, int runners, boolean realServer, ChaosOptions chaos) {
    return new DemoOptions(
        scenario,
        jobs == 0 ? Optional.empty() : Optional.of(jobs),
        runners == 0 ? Optional.empty() : Optional.of(runners),
        Optional.empty(),
        realServer,
        Optional.empty(),
        Duration.ofSeconds(1),
        true,
        chaos);
  }
}

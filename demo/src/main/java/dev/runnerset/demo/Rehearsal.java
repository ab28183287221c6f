package dev.runnerset.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.runnerset.testcluster.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** One run of a scenario, from the cluster's start to the summary. */
final class Rehearsal {
  private final DemoOptions options;
  private final Path folder;
  private final Clock clock = Clock.systemUTC();

  Rehearsal(DemoOptions options, Path folder) {
    this.options = options;
    this.folder = folder;
  }

  /** Runs it and prints what it showed. */
  Figures.Report run() throws IOException {
    var console = System.console();
    var progress = new Progress(System.out, console != null && console.isTerminal(), clock);
    var begin = clock.instant();
    try (var cluster = cluster()) {
      progress.step(cluster.description());
      try (var world = new World(cluster, options, folder, progress, clock)) {
        var report = rehearse(world, progress, begin);
        progress.clear();
        Summary.print(report, System.out);
        write(report);
        return report;
      }
    }
  }

  private Figures.Report rehearse(World world, Progress progress, Instant begin) {
    var script = new Script(world, options, progress);
    try {
      var findings = script.run();
      script.end();
      var elapsed = Duration.between(begin, clock.instant());
      var figures = Measure.of(options, world, findings, elapsed);
      var checks = Checks.of(options.scenario(), figures);
      return new Figures.Report(figures, checks, checks.stream().allMatch(Check::ok));
    } catch (DemoException e) {
      progress.clear();
      for (var program : new Program[] {world.controller(), world.listener()}) {
        System.out.println("the last lines of the " + program.name() + ":");
        System.out.println(program.lastLines().indent(4));
      }
      throw e;
    }
  }

  private Cluster cluster() throws IOException {
    if (options.kubeconfig().isPresent()) {
      return new GivenCluster(options.kubeconfig().get(), options.scenario(), folder);
    }
    if (options.testCluster()) {
      var reason = TestCluster.unavailableReason();
      if (reason.isPresent()) {
        throw new DemoException("--test-cluster: " + reason.get());
      }
      return proxied(new RealCluster(options.scenario(), folder));
    }
    return proxied(new EmbeddedCluster(options.scenario(), folder, clock));
  }

  /** With a proxy before the API server where a scenario needs one. */
  private Cluster proxied(Cluster cluster) throws IOException {
    return options.scenario() == Scenario.CHAOS ? new ProxiedCluster(cluster, folder) : cluster;
  }

  private void write(Figures.Report report) throws IOException {
    if (options.json().isEmpty()) {
      return;
    }
    Files.writeString(options.json().get(), json(report) + "\n");
  }

  static String json(Figures.Report report) throws IOException {
    return new ObjectMapper()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS) // a scenario without findings
        .writeValueAsString(report);
  }
}

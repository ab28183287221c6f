package dev.runnerset.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.runnerset.demo.cluster.Cluster;
import dev.runnerset.demo.cluster.EmbeddedCluster;
import dev.runnerset.demo.cluster.GivenCluster;
import dev.runnerset.demo.cluster.RealCluster;
import dev.runnerset.demo.figures.Check;
import dev.runnerset.demo.figures.Figures;
import dev.runnerset.demo.figures.Measure;
import dev.runnerset.demo.figures.Summary;
import dev.runnerset.demo.programs.Program;
import dev.runnerset.demo.progress.DemoException;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.scenario.Checks;
import dev.runnerset.demo.scenario.DemoOptions;
import dev.runnerset.demo.scenario.Script;
import dev.runnerset.demo.world.World;
import dev.runnerset.testcluster.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;

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
    var setting = options.scenario().setting(options.podStart());
    try (var cluster = cluster(setting.oneNamespace())) {
      progress.step(cluster.description());
      try (var world = new World(cluster, setting, folder, progress, clock)) {
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
    world.service().flavour(options.flavour());
    try {
      var found = script.run();
      script.end();
      var elapsed = Duration.between(begin, clock.instant());
      var figures = Measure.of(options.scenario().word(), world, found, elapsed);
      var checks = new ArrayList<>(Checks.of(options.scenario(), figures));
      checks.addAll(found.checks());
      return new Figures.Report(
          figures, checks, checks.stream().allMatch(Check::ok), progress.timeline());
    } catch (DemoException e) {
      progress.clear();
      for (var program : new Program[] {world.controller(), world.listener()}) {
        System.out.println("the last lines of the " + program.name() + ":");
        System.out.println(program.lastLines().indent(4));
      }
      throw e;
    }
  }

  private Cluster cluster(boolean oneNamespace) throws IOException {
    if (options.kubeconfig().isPresent()) {
      return new GivenCluster(options.kubeconfig().get(), oneNamespace, folder);
    }
    if (options.testCluster()) {
      var reason = TestCluster.unavailableReason();
      if (reason.isPresent()) {
        throw new DemoException("--test-cluster: " + reason.get());
      }
      return new RealCluster(oneNamespace, folder);
    }
    return new EmbeddedCluster(oneNamespace, folder, clock);
  }

  private void write(Figures.Report report) throws IOException {
    if (options.json().isEmpty()) {
      return;
    }
    Files.writeString(options.json().get(), json(report) + "\n");
  }

  static String json(Figures.Report report) throws IOException {
    return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(report);
  }
}

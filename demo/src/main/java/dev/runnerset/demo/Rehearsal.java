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
import java.util.LinkedHashMap;
import java.util.Map;

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
  Figures run() throws IOException {
    var console = System.console();
    var progress = new Progress(System.out, console != null && console.isTerminal(), clock);
    var begin = clock.instant();
    try (var cluster = cluster()) {
      progress.step(cluster.description());
      try (var world = new World(cluster, options, folder, progress, clock)) {
        var figures = rehearse(world, progress, begin);
        progress.clear();
        Summary.print(figures, System.out);
        write(figures);
        return figures;
      }
    }
  }

  private Figures rehearse(World world, Progress progress, Instant begin) {
    var script = new Script(world, options, progress);
    try {
      var extra = new LinkedHashMap<>(script.run());
      script.end();
      var cpu = cpu(world);
      return Measure.of(options, world, cpu, extra, Duration.between(begin, clock.instant()));
    } catch (DemoException e) {
      progress.clear();
      for (var program : new Program[] {world.controller(), world.listener()}) {
        System.out.println("the last lines of the " + program.name() + ":");
        System.out.println(program.lastLines().indent(4));
      }
      throw e;
    }
  }

  private static Map<String, Long> cpu(World world) {
    var cpu = new LinkedHashMap<String, Long>();
    cpu.put("controller", world.controller().cpuMillis());
    cpu.put("listener", world.listener().cpuMillis());
    world.cluster().cpuMillis().ifPresent(ms -> cpu.put("kube-apiserver", ms));
    return cpu;
  }

  private Cluster cluster() throws IOException {
    if (options.kubeconfig().isPresent()) {
      return new GivenCluster(options.kubeconfig().get(), folder);
    }
    if (options.testCluster()) {
      var reason = TestCluster.unavailableReason();
      if (reason.isPresent()) {
        throw new DemoException("--test-cluster: " + reason.get());
      }
      return new RealCluster(folder);
    }
    return new EmbeddedCluster(folder, clock);
  }

  private void write(Figures figures) throws IOException {
    if (options.json().isEmpty()) {
      return;
    }
    var json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    Files.writeString(options.json().get(), json.writeValueAsString(figures) + "\n");
  }
}

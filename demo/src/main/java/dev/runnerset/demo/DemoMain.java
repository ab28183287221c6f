package dev.runnerset.demo;

import dev.runnerset.base.CommandLines;
import dev.runnerset.cli.ui.Browser;
import dev.runnerset.demo.scenario.DemoOptions;
import dev.runnerset.demo.scenario.Scenario;
import dev.runnerset.demo.show.Show;
import dev.runnerset.simulator.service.Flavour;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./runnerset demo}: exit 0 only if every check of the scenario holds. */
@Command(
    name = "runnerset demo",
    mixinStandardHelpOptions = true,
    description = {
      "Rehearses the real controller and listener, as processes, against a simulated Actions"
          + " service and node.",
      "Exit 0: every check holds. 1: one does not, or the rehearsal could not be finished. 2: wrong"
          + " options."
    })
public final class DemoMain implements Callable<Integer> {
  private static final int MOST = 2_000;
  private static final int MOST_SECONDS = 86_400;

  /** What was a scenario once, and is tested by the module e2e now. */
  private static final List<String> SUITES =
      List.of("stalls", "deletion", "drain", "chaos", "upgrade");

  @Option(names = "--scenario", paramLabel = "NAME", description = "which; see --list")
  private String scenario = Scenario.DEFAULT.word();

  @Option(names = "--list", description = "name the scenarios and stop")
  private boolean list;

  @Option(names = "--jobs", paramLabel = "N", description = "jobs, 1 to " + MOST)
  private @Nullable Integer jobs;

  @Option(names = "--runners", paramLabel = "MAX", description = "runners at most, 1 to " + MOST)
  private @Nullable Integer runners;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "use that cluster; CRDs, namespaces and roles are applied to it")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--test-cluster",
      description =
          "use a kube-apiserver with etcd and controller-manager of our own (needs Go once)")
  private boolean testCluster;

  @Option(
      names = "--pod-start",
      paramLabel = "MS",
      description = "milliseconds from a pod's creation to its running container (1000)")
  private int podStartMillis = 1000;

  @Option(
      names = "--flavour",
      paramLabel = "NAME",
      description =
          "of the service: broker (github.com, the default) or legacy (a GitHub Enterprise Server:"
              + " jobs are offered, and the listener acquires them)")
  private Flavour flavour = Flavour.BROKER;

  @Option(names = "--json", paramLabel = "FILE", description = "write figures and checks there")
  private @Nullable Path json;

  @Option(names = "--keep-logs", description = "keep the programs' logs, and say where")
  private boolean keepLogs;

  @Option(
      names = "--ui",
      description = "show it on a page with buttons that break something, until Ctrl-C")
  private boolean ui;

  @Option(
      names = "--watch",
      description = "show it in this terminal as kubectl runnerset top does, until Ctrl-C")
  private boolean watch;

  @Option(
      names = "--ui-for",
      paramLabel = "SECONDS",
      description = "end --ui or --watch after that time (86400)")
  private int uiSeconds = MOST_SECONDS;

  /** Runs the command. */
  public static void main(String[] args) {
    var command = CommandLines.withoutStackTraces(new DemoMain());
    System.exit(command.setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    if (list) {
      for (var each : Scenario.values()) {
        System.out.printf("%-20s %s%n", each.word(), each.what());
      }
      System.out.println("Suites of tests, no scenarios:");
      SUITES.forEach(suite -> System.out.printf("%-20s %s%n", suite, command(suite)));
      return 0;
    }
    var options = options();
    var folder = Files.createTempDirectory("runnerset-demo");
    boolean ok = false;
    try {
      ok = ui || watch ? show(options, folder) : new Rehearsal(options, folder).run().ok();
      return ok ? 0 : 1;
    } finally {
      if (options.keepLogs() || !ok) {
        System.out.println("logs of the programs: " + folder);
      } else {
        delete(folder);
      }
    }
  }

  private boolean show(DemoOptions options, Path folder) throws Exception {
    var length = Duration.ofSeconds(bounded("--ui-for", uiSeconds, MOST_SECONDS));
    if (ui && watch) {
      throw wrong("--ui and --watch exclude each other");
    }
    if (testCluster || kubeconfig != null || options.scenario() != Scenario.DEFAULT) {
      throw wrong(
          "--ui and --watch have a scenario and a cluster of their own: leave out --scenario, --kubeconfig and"
              + " --test-cluster");
    }
    var face = ui ? Show.page(Browser::open) : Show.terminal();
    var _ = new Show(options, folder, length, face).run(); // jobs may be lost on purpose
    return true;
  }

  private DemoOptions options() {
    var found = Arrays.stream(Scenario.values()).filter(s -> s.word().equals(scenario)).findFirst();
    if (SUITES.contains(scenario)) {
      throw wrong("'" + scenario + "' is a suite of tests, no scenario: " + command(scenario));
    }
    if (found.isEmpty()) {
      var names = Arrays.stream(Scenario.values()).map(Scenario::word);
      throw wrong(
          "unknown scenario '"
              + scenario
              + "'; there are "
              + names.collect(Collectors.joining(", ")));
    }
    if (kubeconfig != null && testCluster) {
      throw wrong("--kubeconfig and --test-cluster exclude each other");
    }
    if (kubeconfig != null && !Files.isReadable(kubeconfig)) {
      throw wrong("--kubeconfig: cannot read " + kubeconfig);
    }
    if (json != null && !canBeWritten(json)) {
      throw wrong("--json: cannot write " + json + ": its folder has to exist, and to be yours");
    }
    return new DemoOptions(
        found.get(),
        bounded("--jobs", jobs),
        bounded("--runners", runners),
        Optional.ofNullable(kubeconfig),
        testCluster,
        Optional.ofNullable(json),
        flavour,
        Duration.ofMillis(bounded("--pod-start", podStartMillis, 60_000)),
        keepLogs);
  }

  private static boolean canBeWritten(Path file) {
    var folder = file.toAbsolutePath().getParent();
    return Files.exists(file)
        ? Files.isRegularFile(file) && Files.isWritable(file)
        : folder != null && Files.isDirectory(folder) && Files.isWritable(folder);
  }

  private static String command(String suite) {
    var name = suite.substring(0, 1).toUpperCase(Locale.ROOT) + suite.substring(1);
    var server = suite.equals("drain") ? "Real" : "Embedded"; // evictions need a real one
    return "mvn verify -pl e2e -am -Psuite -Dit.test=" + server + name + "IT";
  }

  private static Optional<Integer> bounded(String name, @Nullable Integer value) {
    return value == null ? Optional.empty() : Optional.of(bounded(name, value, MOST));
  }

  private static int bounded(String name, int value, int most) {
    if (value < 1 || value > most) {
      throw wrong(name + ": " + value + " is not in 1.." + most);
    }
    return value;
  }

  private static CommandLine.ParameterException wrong(String message) {
    return new CommandLine.ParameterException(new CommandLine(new DemoMain()), message);
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      for (var file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}

package dev.runnerset.demo.show;

import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.cluster.Selection;
import dev.runnerset.cli.main.CliMain;
import dev.runnerset.cli.main.Tool;
import dev.runnerset.cli.ui.Ui;
import dev.runnerset.demo.cluster.EmbeddedCluster;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.scenario.DemoOptions;
import dev.runnerset.demo.world.World;
import dev.runnerset.kube.KubeConnection;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * {@code ./runnerset demo --ui} and {@code --watch}: 60 jobs on the page or in the terminal, and a
 * person who may break things.
 */
public final class Show {
  private static final String AGENT = "kubectl-runnerset-demo";
  private static final int JOBS = 60;
  private static final int RUNNERS = 20;
  private static final int NODES = 2;
  private static final Duration VISITOR = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final DemoOptions options;
  private final Path folder;
  private final Duration length;
  private final Face face;
  private final Clock clock = Clock.systemUTC();

  /** Where a person sees it. */
  public sealed interface Face {}

  private record Page(Predicate<String> browser) implements Face {}

  private record Terminal() implements Face {}

  /**
   * The page.
   *
   * @param browser opens its address; false if it cannot
   */
  public static Face page(Predicate<String> browser) {
    return new Page(browser);
  }

  /** The terminal of this process. */
  public static Face terminal() {
    return new Terminal();
  }

  /**
   * A show.
   *
   * @param folder for the logs of the programs
   * @param length after which it ends by itself
   */
  public Show(DemoOptions options, Path folder, Duration length, Face face) {
    this.options = options;
    this.folder = folder;
    this.length = length;
    this.face = face;
  }

  /** Runs until its time is over; whether no job was lost. */
  public boolean run() throws IOException, InterruptedException {
    var setting = options.scenario().setting(options.podStart()).withNodes(NODES);
    var progress = new Progress(System.out, false, clock);
    try (var cluster = new EmbeddedCluster(false, folder, clock);
        var world = new World(cluster, setting, folder, progress, clock)) {
      world.begin(0, options.runners().orElse(RUNNERS));
      var stage = new DemoStage(world, options.jobs().orElse(JOBS));
      switch (face) {
        case Page(var browser) -> {
          try (var reader = reader(cluster);
              var ui = Ui.start(reader, Selection.of(""), 0, stage, clock)) {
            invite(ui, browser);
            play(world, stage, progress);
          }
        }
        case Terminal() -> {
          var tool = Tool.ofThisProcess(_ -> reader(cluster));
          Thread.startVirtualThread(() -> CliMain.line(tool).execute("top"));
          play(world, stage, progress);
        }
      }
      var counts = world.service().jobCounts();
      progress.step(
          "the end: %d jobs sent, %d done, %d lost"
              .formatted(counts.submitted(), counts.completed(), counts.lost()));
      return counts.lost() == 0;
    }
  }

  private static Cluster reader(EmbeddedCluster cluster) {
    return new Cluster(
        KubeConnection.connect(Optional.of(cluster.controllerKubeconfig()), AGENT),
        World.NAMESPACE);
  }

  private static void invite(Ui ui, Predicate<String> browser) throws InterruptedException {
    System.out.println("The page (the address works once): " + ui.entryUrl());
    System.out.println(
        browser.test(ui.entryUrl())
            ? "A browser opens it. Ctrl-C ends the demo."
            : "There is no display here: open that address in a browser. Ctrl-C ends the demo.");
    ui.awaitVisitor(VISITOR);
  }

  private void play(World world, DemoStage stage, Progress progress) throws InterruptedException {
    var end = clock.instant().plus(length);
    progress.step(stage.sendJobs());
    while (clock.instant().isBefore(end)) {
      world.pass(PAUSE);
    }
  }
}

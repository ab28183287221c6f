package dev.runnerset.e2e;

import static org.assertj.core.api.SoftAssertions.assertSoftly;

import dev.runnerset.demo.cluster.Cluster;
import dev.runnerset.demo.cluster.EmbeddedCluster;
import dev.runnerset.demo.cluster.RealCluster;
import dev.runnerset.demo.figures.Figures;
import dev.runnerset.demo.figures.Found;
import dev.runnerset.demo.figures.Measure;
import dev.runnerset.demo.figures.Summary;
import dev.runnerset.demo.progress.DemoException;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.world.Setting;
import dev.runnerset.demo.world.World;
import dev.runnerset.testcluster.TestCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** Plays a script in a world of its own: on a real control plane, or all in this process. */
public final class Play {
  private static final Clock CLOCK = Clock.systemUTC();

  /**
   * The usual one, with a longer lease: on a busy machine a renewal may wait for more than the 2 s
   * after which a controller ends.
   */
  public static final Setting SETTING =
      Setting.USUAL.withLease("--lease-duration=5s", "--renew-deadline=4s", "--retry-period=500ms");

  private Play() {}

  /** What happens in a world. */
  public interface Script {
    /** Plays it, and asserts what it must prove. */
    void run(World world, Progress progress) throws IOException;
  }

  /** A control plane of the test's own; the calling test is skipped where there is none. */
  public static RealCluster realCluster(Path folder) throws IOException {
    TestCluster.unavailableReason().ifPresent(Assumptions::abort);
    return new RealCluster(false, folder);
  }

  /** An API server in this process. */
  public static EmbeddedCluster embeddedCluster(Path folder) throws IOException {
    return new EmbeddedCluster(false, folder, CLOCK);
  }

  /** A world that is not started yet, for a test that plays something of its own. */
  public static World world(Cluster cluster, Path folder) {
    return new World(cluster, SETTING, folder, progress(), CLOCK);
  }

  private static Progress progress() {
    return new Progress(System.out, false, CLOCK);
  }

  /**
   * Plays a script and deletes the set of the world; then no job was lost, no busy runner removed,
   * and nothing was left at the service. Closes the cluster.
   */
  public static Figures run(Cluster cluster, Setting setting, Path folder, Script script)
      throws IOException {
    var progress = progress();
    var begin = CLOCK.instant();
    try (cluster;
        var world = new World(cluster, setting, folder, progress, CLOCK)) {
      progress.step(cluster.description());
      try {
        script.run(world, progress);
        progress.step("deleting the set");
        world.deleteSet();
      } catch (DemoException e) {
        printLastLines(world, 15);
        throw e;
      }
      var name = script.getClass().getPackageName().replaceFirst(".*\\.", "");
      var elapsed = Duration.between(begin, CLOCK.instant());
      var figures = Measure.of(name, world, new Found(), elapsed);
      Summary.print(figures, System.out);
      check(figures);
      return figures;
    }
  }

  /** Prints so many of the last lines of both programs. */
  public static void printLastLines(World world, int most) {
    for (var program : List.of(world.controller(), world.listener())) {
      System.out.println("the last lines of the " + program.name() + ":");
      System.out.println(program.lastLines(most).indent(4));
    }
  }

  private static void check(Figures figures) {
    assertSoftly(softly -> {
      var jobs = figures.jobs();
      softly.assertThat(jobs.completed()).as("jobs that were done").isEqualTo(jobs.submitted());
      softly.assertThat(jobs.lost()).as("jobs that were lost").isZero();
      softly.assertThat(figures.violations()).as("violations at the service").isEmpty();
    });
  }
}

package dev.runnerset.e2e.drain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.demo.cluster.Cluster;
import dev.runnerset.demo.figures.Figures;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.progress.Times;
import dev.runnerset.demo.world.World;
import dev.runnerset.e2e.Bars;
import dev.runnerset.e2e.Play;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;

/**
 * Nodes are emptied under running jobs. Two of three are cordoned, their idle runners leave, and
 * they are drained while jobs come; then the third is drained at once, with idle runners on it.
 */
final class DrainScript {
  private static final int NODES = 3;
  private static final int WARM = 6;
  private static final int RUNNERS = 30;
  private static final int JOBS = 12;
  private static final Duration JOB = Duration.ofSeconds(8);

  /** Until the idle runners have left, and some seconds more. */
  private static final Duration LONG = Duration.ofSeconds(15);

  /** A job of 15 s, the next try of the drain after 5 s, the end of the pod, and a busy machine. */
  private static final double DRAINED_SECONDS = 40;

  /** One that has just become idle is spared for 10 s while a job is on its way (SD2). */
  private static final double IDLE_LEFT_SECONDS = 30;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final World world;
  private final Progress progress;
  private final SoftAssertions softly = new SoftAssertions();
  private final List<NodeDrain> drains = new ArrayList<>();

  private DrainScript(World world, Progress progress) {
    this.world = world;
    this.progress = progress;
  }

  /** Plays it in a world of its own. */
  static void play(Cluster cluster, Path folder) throws IOException {
    var figures =
        Play.run(
            cluster,
            Play.SETTING.withNodes(NODES),
            folder,
            (world, progress) -> new DrainScript(world, progress).run());
    var kubernetes = figures.kubernetes();
    if (kubernetes != null) {
      assertThat(kubernetes.writesPerRunner())
          .as("writes on a runner's own objects")
          .isLessThanOrEqualTo(figures.mostWritesPerRunner(Figures.WRITES_PER_RUNNER));
    }
  }

  private void run() {
    // a client that sends each eviction once: by itself it would send a refused one again
    var once = new ConfigBuilder(world.cluster().admin()).withRequestRetryBackoffLimit(0).build();
    try (var kube = new KubernetesClientBuilder().withConfig(once).build()) {
      for (int n = 1; n <= NODES; n++) {
        drains.add(new NodeDrain(kube, "simulated-node-" + n, world.clock()));
      }
      drainAll();
    }
    softly.assertAll();
  }

  private void drainAll() {
    world.begin(WARM, RUNNERS);
    busyAndIdle(LONG);
    progress.step("cordoning two nodes of three: idle runners leave them");
    var two = drains.subList(0, 2);
    var at = world.now();
    two.forEach(drain -> drain.cordon(true));
    await("idle runners leave", () -> two.stream().allMatch(drain -> drain.withoutJob() == 0));
    double left = seconds(at);
    progress.step("they left after %.1f s".formatted(left));
    softly
        .assertThat(left)
        .as("seconds until idle ones left")
        .isLessThanOrEqualTo(IDLE_LEFT_SECONDS);
    softly.assertThat(removals()).as("idle runners that were retired").isPositive();
    progress.step(JOBS + " jobs come, one a second, while the two nodes are drained");
    world.submitSpread(JOBS, JOB, Duration.ofSeconds(JOBS));
    for (var drain : two) {
      softly.assertThat(drain.withoutJob()).as("idle ones on %s", drain.node()).isZero();
    }
    drain(two);
    world.awaitJobsDone(Duration.ofMinutes(2));
    busyAndIdle(LONG);
    progress.step("the third node is drained without a wait");
    var third = drains.subList(2, 3);
    third.forEach(drain -> drain.cordon(true));
    drain(third);
    world.awaitJobsDone(Duration.ofMinutes(2));
    world.awaitIdle(WARM);
    softly
        .assertThat(drains.stream().mapToInt(NodeDrain::refusals).sum())
        .as("evictions of busy runners that were refused")
        .isPositive();
  }

  /** As many runners with a job as without one, on all nodes, all of them marked. */
  private void busyAndIdle(Duration job) {
    world.awaitIdle(WARM);
    progress.step("submitting " + WARM + " jobs of " + job.toSeconds() + " s");
    world.submit(WARM, job);
    world.awaitBusy(WARM);
    await("runners are marked", () -> withJob() >= WARM);
    world.awaitIdle(WARM);
  }

  private long withJob() {
    return drains.stream().mapToLong(NodeDrain::withJob).sum();
  }

  private void drain(List<NodeDrain> some) {
    progress.step("draining " + String.join(" and ", some.stream().map(NodeDrain::node).toList()));
    var at = world.now();
    var seconds = new @Nullable Double[some.size()];
    world.settle(
        PATIENCE,
        () -> {
          boolean all = true;
          for (int i = 0; i < some.size(); i++) {
            if (seconds[i] == null && some.get(i).step()) {
              seconds[i] = seconds(at);
            }
            all &= seconds[i] != null;
          }
          return all;
        });
    for (int i = 0; i < some.size(); i++) {
      var drain = some.get(i);
      drain.cordon(false);
      progress.step(
          "%s: empty after %.1f s, %d evictions, %d refused"
              .formatted(drain.node(), seconds[i], drain.evictions(), drain.refusals()));
      Bars.within(softly, DRAINED_SECONDS, seconds[i], "%s was empty", drain.node());
    }
  }

  /** Removal requests so far: no runner was too many before. */
  private long removals() {
    return world.service().counters().getOrDefault("removeRunner", 0L);
  }

  private void await(String what, BooleanSupplier done) {
    world.await(what, Duration.ofSeconds(30), done, world::readyMessage);
  }

  private double seconds(Instant since) {
    return Times.seconds(Duration.between(since, world.now()));
  }
}

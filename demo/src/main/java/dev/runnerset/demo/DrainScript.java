package dev.runnerset.demo;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Nodes are emptied under running jobs. Two of three are cordoned, their idle runners leave, and
 * they are drained while jobs come; then the third is drained at once, with idle runners on it.
 */
final class DrainScript {
  static final int NODES = 3;
  private static final int WARM = 6;
  private static final Duration JOB = Duration.ofSeconds(8);

  /** Until the idle runners have left, and some seconds more. */
  private static final Duration LONG = Duration.ofSeconds(15);

  private static final Duration DRAINED_WITHIN = Duration.ofSeconds(60);

  private final World world;
  private final DemoOptions options;
  private final Progress progress;
  private final List<NodeDrain> drains = new ArrayList<>();

  DrainScript(World world, DemoOptions options, Progress progress) {
    this.world = world;
    this.options = options;
    this.progress = progress;
  }

  Findings run() {
    // a client that sends each eviction once: by itself it would send a refused one again
    var once = new ConfigBuilder(world.cluster().admin()).withRequestRetryBackoffLimit(0).build();
    try (var kube = new KubernetesClientBuilder().withConfig(once).build()) {
      for (int n = 1; n <= NODES; n++) {
        drains.add(new NodeDrain(kube, "simulated-node-" + n, world.clock()));
      }
      return drained();
    }
  }

  private Findings drained() {
    world.begin(WARM, options.runnersOr(30));
    busyAndIdle(LONG);
    progress.step("cordoning two nodes of three: idle runners leave them");
    var two = drains.subList(0, 2);
    var at = world.now();
    two.forEach(drain -> drain.cordon(true));
    await("idle runners leave", () -> two.stream().allMatch(drain -> drain.withoutJob() == 0));
    double left = seconds(at);
    long retired = removals();
    int jobs = options.jobsOr(12);
    progress.step(jobs + " jobs come, one a second, while the two nodes are drained");
    world.submitSpread(jobs, JOB, Duration.ofSeconds(jobs));
    var rows = new ArrayList<Findings.Drain>();
    rows.addAll(drain(two, left));
    world.awaitJobsDone(Duration.ofMinutes(2));
    busyAndIdle(JOB);
    progress.step("the third node is drained without a wait");
    var third = drains.subList(2, 3);
    third.forEach(drain -> drain.cordon(true));
    rows.addAll(drain(third, null));
    world.awaitJobsDone(Duration.ofMinutes(2));
    world.awaitIdle(WARM);
    return new Findings.Drains(rows, retired);
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

  private List<Findings.Drain> drain(List<NodeDrain> some, @Nullable Double idleLeft) {
    record Before(NodeDrain drain, long withJob, long without) {}
    var before = some.stream().map(d -> new Before(d, d.withJob(), d.withoutJob())).toList();
    progress.step("draining " + String.join(" and ", some.stream().map(NodeDrain::node).toList()));
    var at = world.now();
    var seconds = new Double[some.size()];
    world.settle(
        DRAINED_WITHIN,
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
    some.forEach(drain -> drain.cordon(false));
    var rows = new ArrayList<Findings.Drain>();
    for (int i = 0; i < some.size(); i++) {
      var was = before.get(i);
      rows.add(
          new Findings.Drain(
              was.drain().node(),
              idleLeft,
              was.withJob(),
              was.without(),
              seconds[i],
              was.drain().refusals(),
              was.drain().evictions()));
    }
    return rows;
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

package dev.runnerset.e2e.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.demo.cluster.EmbeddedCluster;
import dev.runnerset.demo.figures.Percentiles;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.world.Setting;
import dev.runnerset.demo.world.World;
import dev.runnerset.simulator.service.ActionsServiceServer;
import dev.runnerset.simulator.service.FaultPlan;
import dev.runnerset.simulator.service.HttpFault;
import dev.runnerset.simulator.service.JobRequest;
import dev.runnerset.simulator.service.Options;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What both programs hold in memory. They run with the options of their images, and with the memory
 * limits of the chart or of docs/known-limits.md. A program that runs out of heap ends, and the
 * test fails. The test prints the figures.
 */
@Tag("nightly")
final class EmbeddedMemoryIT {
  private static final Clock CLOCK = Clock.systemUTC();
  private static final Duration PATIENCE = Duration.ofMinutes(20);

  /** In which what is late is written, and what is remembered for a moment is forgotten. */
  private static final Duration MOMENT = Duration.ofSeconds(20);

  private static final int OF_A_SET = 100; // no set keeps more finished runners
  private static final int SETS = 10;
  private static final int LARGE = 100;
  private static final int HOSTILE = 50;
  private static final int FLOOD = 4 << 20;
  private static final int SINGLE = 20;
  private static final int JOBS = Integer.getInteger("memory.jobs", 10_000);

  /**
   * The name of a runner that went is known for up to a quarter of an hour in three places, which
   * takes 600 bytes ({@code SeenRunners}, and the caches of the framework). A runner takes 10,000.
   */
  private static final double MOST_BYTES_A_JOB = 1_000;

  private static final double MOST_BYTES_A_JOB_IN_THE_LISTENER = 100;

  private static final double CONTROLLER_LIMIT = 384;
  private static final double LISTENER_LIMIT = 256;

  /** Of live heap in the controller: a third of its heap is left for work. */
  private static final long MOST_BYTES = (long) (CONTROLLER_LIMIT * 0.2 * 1024 * 1024);

  /** Of docs/known-limits.md. */
  private static final double LISTENER_LIMIT_FOR_MANY_SETS = 640;

  @TempDir Path folder;

  @Test
  void aThousandIdleRunnersAndAThousandFinishedOnesAreHeld() throws Exception {
    try (var held = new Held(CONTROLLER_LIMIT, LISTENER_LIMIT)) {
      held.makeSets(0, SETS, OF_A_SET);
      held.print(SETS + " sets");
      held.eachSet("{\"minRunners\": 100, \"retention\": {\"succeededLimit\": 100}}");
      held.await(() -> held.world.idle() >= SETS * OF_A_SET);
      held.print("1,000 idle runners");
      for (int i = 0; i < SETS; i++) {
        held.submit(OF_A_SET, "s" + i, Duration.ofSeconds(1));
      }
      held.await(() -> held.finished() >= SETS * OF_A_SET && held.world.idle() >= SETS * OF_A_SET);
      held.print("1,000 idle runners and 1,000 finished ones");
      assertThat(held.controller.live()).isLessThan(MOST_BYTES);
      assertThat(held.controller.rss()).isLessThan(CONTROLLER_LIMIT);
      assertThat(held.listener.rss()).isLessThan(LISTENER_LIMIT);
    }
  }

  @Test
  void aThousandSetsAreHeld() throws Exception {
    try (var held = new Held(CONTROLLER_LIMIT, LISTENER_LIMIT_FOR_MANY_SETS)) {
      held.makeSets(0, SETS, 1);
      held.print(SETS + " sets");
      held.makeSets(SETS, 1_000, 1);
      held.print("1,000 sets");
      assertThat(held.controller.live()).isLessThan(MOST_BYTES);
      assertThat(held.controller.rss()).isLessThan(CONTROLLER_LIMIT);
      assertThat(held.listener.rss()).isLessThan(LISTENER_LIMIT_FOR_MANY_SETS);
    }
  }

  @Test
  void tenThousandJobsLeaveNothing() throws Exception {
    try (var held = new Held(CONTROLLER_LIMIT, LISTENER_LIMIT)) {
      held.makeSets(0, 1, OF_A_SET);
      int first = JOBS / 5;
      held.run(first);
      long controller = held.controller.live();
      long listener = held.listener.live();
      held.run(JOBS - first);
      double ofController = (held.controller.live() - controller) / (double) (JOBS - first);
      double ofListener = (held.listener.live() - listener) / (double) (JOBS - first);
      System.out.printf(
          "figure: bytes a job that stay, controller %.1f, listener %.1f%n",
          ofController, ofListener);
      assertThat(ofController).isLessThan(MOST_BYTES_A_JOB);
      assertThat(ofListener).isLessThan(MOST_BYTES_A_JOB_IN_THE_LISTENER);
    }
  }

  /**
   * A hundred sets of 0.9 MB, and fifty whose services answer polls and lists with 4 MiB of
   * nothing, beside a set that works (WR13, SF9): no program ends, also when both begin anew.
   */
  @Test
  void largeSetsAndHostileServicesHoldNobodyUp() throws Exception {
    try (var held = new Held(CONTROLLER_LIMIT, LISTENER_LIMIT);
        var hostile = ActionsServiceServer.start(Options.accepting(World.TOKEN), CLOCK)) {
      held.makeSets(0, 1, 2);
      held.eachSet("{\"minRunners\": 1}", 1);
      IntStream.range(0, HOSTILE)
          .forEach(i -> held.makeOddSet("h" + i, hostile.configUrl("org-" + i).toString(), ""));
      held.await(() -> hostile.control().scaleSets().size() == HOSTILE);
      hostile
          .control()
          .faults(
              FaultPlan.NONE.withHttp(
                  HttpFault.hostile("getMessage", HttpFault.Body.FLOOD, FLOOD),
                  HttpFault.hostile("findScaleSet", HttpFault.Body.FLOOD, FLOOD)));
      IntStream.range(0, LARGE)
          .forEach(i -> held.makeOddSet("l" + i, held.world.configUrl("org"), "x".repeat(900_000)));
      held.oneByOne();
      held.print("100 large sets and 50 hostile services");
      held.world.crash("s0", PATIENCE);
      held.oneByOne();
      held.print("the same after a start of both programs");
      assertThat(held.controller.rss()).isLessThan(CONTROLLER_LIMIT);
      assertThat(held.listener.rss()).isLessThan(LISTENER_LIMIT);
    }
  }

  /** Both programs, with what they hold. */
  private final class Held implements AutoCloseable {
    private final EmbeddedCluster cluster = new EmbeddedCluster(false, folder, CLOCK);
    private final World world;
    private final ProcessMemory controller;
    private final ProcessMemory listener;

    Held(double controllerLimit, double listenerLimit) throws Exception {
      var silent = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
      // the usual lease: a pause of a busy machine is not what is tested
      var setting = Setting.USUAL.withLease();
      world = new World(cluster, setting, folder, new Progress(silent, false, CLOCK), CLOCK);
      controller = new ProcessMemory(world.controller().with(limit(controllerLimit)));
      listener = new ProcessMemory(world.listener().with(limit(listenerLimit)));
      world.start();
      world.prepare();
    }

    private static String limit(double mebibytes) {
      return "-XX:MaxRAM=%.0fm".formatted(mebibytes);
    }

    void makeSets(int from, int to, int maxRunners) {
      IntStream.range(from, to).forEach(i -> world.makeSet("s" + i, 0, maxRunners));
      await(() ->
          world.service().scaleSets().stream().filter(set -> set.capacity() != null).count() == to);
    }

    void eachSet(String spec) {
      eachSet(spec, SETS);
    }

    void eachSet(String spec, int count) {
      var sets = world.kube().resources(AutoScalingRunnerSet.class).inNamespace(World.NAMESPACE);
      var patch = PatchContext.of(PatchType.JSON_MERGE);
      IntStream.range(0, count)
          .forEach(i -> sets.withName("s" + i).patch(patch, "{\"spec\": " + spec + "}"));
    }

    long finished() {
      var runners = world.kube().resources(EphemeralRunner.class).inNamespace(World.NAMESPACE);
      return runners.list().getItems().stream().filter(r -> r.statusOrNone().isTerminal()).count();
    }

    void submit(int jobs, String set, Duration length) {
      world.service().submit(JobRequest.of(jobs, set, length));
    }

    /** Lets it run so many jobs, and waits until nothing of them is left. */
    void run(int jobs) {
      submit(jobs, "s0", Duration.ZERO);
      world.awaitJobsDone(PATIENCE);
      world.awaitNoRunners(PATIENCE);
      print(jobs + " jobs");
    }

    void await(BooleanSupplier done) {
      world.await("all are there", PATIENCE, done, world::readyMessage);
    }

    /** Makes a set; the value is that of a variable of its runners. */
    void makeOddSet(String name, String url, String value) {
      var container = "{name: runner, image: r, env: [{name: A, value: \"%s\"}]}".formatted(value);
      world.makeSet(name, url, "maxRunners: 10", container);
    }

    /** Jobs of the set that works, each when the one before is over. */
    void oneByOne() {
      long before = world.service().jobs().size();
      for (int i = 0; i < SINGLE; i++) {
        submit(1, "s0", Duration.ZERO);
        world.awaitJobsDone(PATIENCE);
      }
      var waits =
          Percentiles.of(
              world.service().jobs().stream()
                  .skip(before)
                  .map(job -> Duration.between(job.queued(), job.started()))
                  .toList());
      System.out.printf(
          "figure: %d single jobs wait %d ms at the median, %d at most%n",
          SINGLE, waits.p50(), waits.max());
      assertThat(world.controller().isAlive() && world.listener().isAlive()).isTrue();
    }

    void print(String when) {
      world.pass(MOMENT);
      controller.print(when);
      listener.print(when);
    }

    @Override
    public void close() {
      world.close();
      cluster.close();
    }
  }
}

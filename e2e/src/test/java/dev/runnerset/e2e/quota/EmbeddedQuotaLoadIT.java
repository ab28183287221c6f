package dev.runnerset.e2e.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.demo.cluster.EmbeddedCluster;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.world.Setting;
import dev.runnerset.demo.world.World;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What quotas cost a controller of many sets while pods of others come and go in their namespaces
 * (DM13). The test prints the figures.
 */
@Tag("nightly")
final class EmbeddedQuotaLoadIT {
  private static final Clock CLOCK = Clock.systemUTC();
  private static final int NAMESPACES = Integer.getInteger("quota.namespaces", 30);
  private static final int SETS = Integer.getInteger("quota.sets", 300) / NAMESPACES;
  private static final int ALL = NAMESPACES * SETS;
  private static final int FOREIGN = Integer.getInteger("quota.pods", 1_000);
  private static final int MAX = 50;

  /** In which pods come, and in which they go. */
  private static final Duration HALF =
      Duration.ofSeconds(Integer.getInteger("quota.seconds", 60)).dividedBy(2);

  private static final Duration SETTLES = Duration.ofSeconds(20);
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @TempDir Path folder;

  /** What was counted until then. */
  private record Counts(long cpuMillis, double passes, long writes) {
    static Counts of(World world) {
      return new Counts(
          world.controller().cpuMillis(),
          world.probe().sum("runnerset_reconcile_seconds_count"),
          world.cluster().counts().orElseThrow().ours());
    }

    Counts since(Counts before) {
      return new Counts(
          cpuMillis - before.cpuMillis, passes - before.passes, writes - before.writes);
    }
  }

  @Test
  void podsOfOthersComeAndGoUnderTheQuotasOfManySets() throws Exception {
    var silent = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    try (var cluster = new EmbeddedCluster(false, folder, CLOCK);
        var world =
            new World(
                cluster,
                Setting.USUAL.withLease(),
                folder,
                new Progress(silent, false, CLOCK),
                CLOCK)) {
      world.start();
      IntStream.range(0, NAMESPACES).forEach(i -> make(world, "ns-" + i));
      world.await(
          "all sets poll",
          PATIENCE,
          () ->
              world.service().scaleSets().stream().filter(set -> set.capacity() != null).count()
                  == ALL,
          world::readyMessage);
      awaitQuiet(world);
      var idle = measure(world, "nothing changes", () -> world.pass(HALF.multipliedBy(2)));
      assertThat(idle.writes()).as("writes while nothing changes").isZero();
      var busy =
          measure(
              world,
              FOREIGN + " pods of others come and go",
              () -> {
                spread(world, i -> world.kube().resource(pod(i)).create());
                world.await(
                    "the sets take no more than is left",
                    SETTLES,
                    () -> capacity(world) <= ALL * share() - FOREIGN,
                    () -> capacity(world) + " places");
                spread(world, i -> world.kube().resource(pod(i)).withGracePeriod(0).delete());
              });
      double writes = busy.writes() / (2.0 * FOREIGN);
      assertThat(writes).as("writes for each change of a quota").isLessThan(3.0 * SETS);
      world.pass(SETTLES);
      assertThat(world.service().scaleSets())
          .as("each set has its share again")
          .allMatch(set -> Integer.valueOf(share()).equals(set.capacity()));
    }
  }

  /** Of a quota that has room for four fifths of what the sets may have. */
  private static int share() {
    return MAX * 4 / 5;
  }

  /** What is written late is written. */
  private static void awaitQuiet(World world) {
    long before;
    do {
      before = Counts.of(world).writes();
      world.pass(SETTLES);
    } while (Counts.of(world).writes() > before);
  }

  private static int capacity(World world) {
    return world.service().scaleSets().stream()
        .mapToInt(set -> Objects.requireNonNullElse(set.capacity(), 0))
        .sum();
  }

  private static void make(World world, String namespace) {
    world.prepare(namespace);
    world
        .kube()
        .resource(
            new ResourceQuotaBuilder()
                .withNewMetadata()
                .withName("few")
                .withNamespace(namespace)
                .endMetadata()
                .withNewSpec()
                .addToHard("pods", new Quantity(String.valueOf(SETS * share())))
                .endSpec()
                .build())
        .create();
    for (int i = 0; i < SETS; i++) {
      world.makeSet(
          namespace,
          namespace + "-" + i,
          world.configUrl("my-org"),
          "minRunners: 0, maxRunners: " + MAX,
          World.CONTAINER);
    }
  }

  private static Counts measure(World world, String what, Runnable load) {
    var before = Counts.of(world);
    var begun = world.now();
    load.run();
    long seconds = Duration.between(begun, world.now()).toSeconds();
    var counts = Counts.of(world).since(before);
    System.out.printf(
        "figure: %d sets under %d quotas, %d s in which %s: %d ms of processor time of the"
            + " controller, %.0f passes, %d writes%n",
        ALL, NAMESPACES, seconds, what, counts.cpuMillis(), counts.passes(), counts.writes());
    return counts;
  }

  private interface Call {
    Object of(int pod);
  }

  /** As evenly as the machine lets it be. */
  private static void spread(World world, Call call) {
    var begun = world.now();
    for (int i = 0; i < FOREIGN; i++) {
      var _ = call.of(i);
      var due = begun.plus(HALF.multipliedBy(i + 1).dividedBy(FOREIGN));
      var left = Duration.between(world.now(), due);
      if (left.isPositive()) {
        world.pass(left);
      }
    }
  }

  private static Pod pod(int number) {
    return new PodBuilder()
        .withNewMetadata()
        .withName("other-" + number)
        .withNamespace("ns-" + number % NAMESPACES)
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("other")
        .withImage("other")
        .endContainer()
        .endSpec()
        .build();
  }
}

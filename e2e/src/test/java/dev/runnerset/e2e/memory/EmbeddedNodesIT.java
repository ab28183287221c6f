package dev.runnerset.e2e.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.demo.cluster.EmbeddedCluster;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.world.Setting;
import dev.runnerset.demo.world.World;
import io.fabric8.kubernetes.api.model.ContainerImageBuilder;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the watch of all nodes costs in a large cluster (SD10): the controller runs with the options
 * of its image and the limit of the chart. The test prints the figures.
 */
@Tag("nightly")
final class EmbeddedNodesIT {
  private static final Clock CLOCK = Clock.systemUTC();

  /** In which nodes are listed, and what is late is written. */
  private static final Duration MOMENT = Duration.ofSeconds(25);

  private static final int NODES = Integer.getInteger("memory.nodes", 5_000);
  private static final int IMAGES = 50; // the kubelet reports no more
  private static final double LIMIT = 384;

  /** The longest that a heap grows for a node. */
  private static final double MOST_BYTES_A_NODE = 2_000;

  /** By time alone: of a set, its runners and its listener. */
  private static final long PASSES_BY_TIME = 10;

  @TempDir Path folder;

  @Test
  void fiveThousandNodesAreHeldAndTheirHeartbeatsMakeNoPass() throws Exception {
    var silent = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    var setting = Setting.USUAL.withLease();
    try (var cluster = new EmbeddedCluster(false, folder, CLOCK);
        var world =
            new World(cluster, setting, folder, new Progress(silent, false, CLOCK), CLOCK)) {
      var controller = world.controller().with("-XX:MaxRAM=%.0fm".formatted(LIMIT));
      var memory = new ProcessMemory(controller);
      world.begin(1, 2);
      world.pass(MOMENT);
      long few = measure(world, memory, "1 node");
      create(world.kube());
      System.out.printf("figure: list of %d nodes: %.1f MB%n", NODES, listed(world.kube()) / 1e6);
      controller.restartWith();
      world.pass(MOMENT);
      long many = measure(world, memory, "after a start with all nodes");
      double aNode = (many - few) / (double) NODES;
      System.out.printf(Locale.ROOT, "figure: live heap, %.0f bytes a node%n", aNode);
      assertThat(aNode).isLessThan(MOST_BYTES_A_NODE);
      heartbeats(world);
      taints(world);
      var _ = measure(world, memory, "all tainted");
      assertThat(memory.rss()).isLessThan(LIMIT);
      controller.restartWith("--node-taints=false");
      world.pass(MOMENT);
      var _ = measure(world, memory, "after a start with --node-taints=false");
      heartbeats(world);
    }
  }

  /** Prints what the controller took since its start. Its live heap. */
  private static long measure(World world, ProcessMemory memory, String when) {
    System.out.printf(
        "figure: %s: %d ms of processor time%n", when, world.controller().cpuMillis());
    memory.print(when);
    return memory.live();
  }

  private static void heartbeats(World world) {
    patchAll(world, "heartbeats", "status", "{\"status\": {\"phase\": \"beat-%d\"}}");
  }

  /** No runner is on one of these nodes, so that even this makes no pass. */
  private static void taints(World world) {
    var taints = "[{\"key\": \"karpenter.sh/disrupted\", \"effect\": \"NoSchedule\"}]";
    patchAll(world, "taints at once", "", "{\"spec\": {\"taints\": " + taints + "}}");
  }

  private static void patchAll(World world, String what, String part, String patch) {
    long cpu = world.controller().cpuMillis();
    double passes = passes(world);
    for (int i = 0; i < NODES; i++) {
      var node = world.kube().nodes().withName("n" + i);
      var body = patch.formatted(i);
      var _ =
          part.isEmpty()
              ? node.patch(PatchContext.of(PatchType.JSON_MERGE), body)
              : node.subresource(part).patch(PatchContext.of(PatchType.JSON_MERGE), body);
    }
    world.pass(Duration.ofSeconds(5));
    double more = passes(world) - passes;
    System.out.printf(
        "figure: %d %s: %d ms of processor time, %.0f passes%n",
        NODES, what, world.controller().cpuMillis() - cpu, more);
    assertThat(more).isLessThan(PASSES_BY_TIME);
  }

  private static double passes(World world) {
    return world.probe().sum("runnerset_reconcile_seconds_count");
  }

  private static void create(KubernetesClient kube) {
    for (int i = 0; i < NODES; i++) {
      kube.nodes().resource(node("n" + i)).create();
    }
  }

  /** As large as the node of a cloud. */
  private static Node node(String name) {
    var node =
        new NodeBuilder()
            .withNewMetadata()
            .withName(name)
            .endMetadata()
            .withNewSpec()
            .withProviderID("cloud:///zone-a/i-" + name)
            .endSpec()
            .withNewStatus()
            .endStatus()
            .build();
    IntStream.range(0, 30)
        .forEach(
            i -> node.getMetadata().getLabels().put("node.example.com/label-" + i, "value-" + i));
    node.getStatus()
        .setImages(
            IntStream.range(0, IMAGES)
                .mapToObj(i ->
                    new ContainerImageBuilder()
                        .withNames(
                            "registry.example.com/team/image-%d@sha256:%064d".formatted(i, i),
                            "registry.example.com/team/image-%d:v1.%d.0".formatted(i, i))
                        .withSizeBytes(100_000_000L + i)
                        .build())
                .toList());
    return node;
  }

  /** The bytes of all pages as they are sent. */
  private static long listed(KubernetesClient kube) {
    long bytes = 0;
    String next = null;
    do {
      var options = new ListOptionsBuilder().withLimit(500L).withContinue(next).build();
      var page = kube.nodes().list(options);
      bytes += Serialization.asJson(page).length();
      next = page.getMetadata().getContinue();
    } while (next != null && !next.isEmpty());
    return bytes;
  }
}

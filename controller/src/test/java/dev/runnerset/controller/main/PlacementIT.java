package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.CapacityLimitStatus;
import dev.runnerset.crds.PlacementStatus;
import dev.runnerset.simulator.node.PodFault;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A set takes no further jobs while its runners find no place on a node (DM15). */
final class PlacementIT {
  private static final int MAX = 50;

  @AutoClose private final ControllerWorld world = new ControllerWorld();
  private final Nodes nodes = new Nodes();
  private int eventsMade;

  /** Nodes with so many places; a pod that has one keeps it. */
  private static final class Nodes {
    private final Set<String> placed = new HashSet<>(); // guarded by this
    private int places; // guarded by this
    private PodFault.@Nullable Obstacle ofPlaced; // guarded by this

    synchronized void have(int now) {
      places = now;
    }

    synchronized void hinder(PodFault.@Nullable Obstacle obstacle) {
      ofPlaced = obstacle;
    }

    synchronized Optional<PodFault> of(String pod) {
      boolean has = placed.contains(pod) || placed.size() < places;
      if (has) {
        placed.add(pod);
        return Optional.ofNullable(ofPlaced);
      }
      return Optional.of(new PodFault.Unschedulable());
    }
  }

  private void begin(String capacity) {
    world.start();
    world.startNode();
    world.podFaults(nodes::of);
    world.create("linux", "minRunners: 0", "maxRunners: " + MAX, "capacity: {" + capacity + "}");
    world.listenerConnects("linux");
    world.awaitCondition("linux", "Ready", "True", "Ready");
  }

  private void demand(int assigned, int available) {
    world.demand(
        "linux",
        """
        {"epoch": 1, "messageId": 7, "observedAt": "%s", "assigned": %d, "running": 0,
         "registered": %4$d, "busy": 0, "idle": %4$d, "available": %3$d}
        """
            .formatted(world.now(), assigned, available, running().size()));
  }

  private List<Pod> pods() {
    return world.kube.pods().inNamespace("default").list().getItems();
  }

  private List<Pod> running() {
    return pods().stream().filter(pod -> "Running".equals(pod.getStatus().getPhase())).toList();
  }

  private List<Pod> waiting() {
    return pods().stream().filter(pod -> !"Running".equals(pod.getStatus().getPhase())).toList();
  }

  private int capacity() {
    return world.listener("linux").orElseThrow().getSpec().capacity();
  }

  private List<CapacityLimitStatus> limits() {
    return world.set("linux").statusOrNone().capacity().limits();
  }

  private @Nullable PlacementStatus placement() {
    return world.set("linux").statusOrNone().capacity().placement();
  }

  private long jitConfigs() {
    return world.control.counters().getOrDefault("generatejitconfig", 0L);
  }

  private long listsOfEvents() {
    return world.api.counters().snapshot().entrySet().stream()
        .filter(each -> each.getKey().writer().equals(ControllerWorld.WRITER))
        .filter(each -> each.getKey().resource().equals("events"))
        .filter(each -> each.getKey().verb().equals("list"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** What a part of the cluster reports about the pods that wait. */
  private void report(String component, String reason) {
    for (var pod : waiting()) {
      var meta = pod.getMetadata();
      world.api.apply(
          """
          apiVersion: v1
          kind: Event
          metadata: {name: said-%d, namespace: default}
          involvedObject: {apiVersion: v1, kind: Pod, namespace: default, name: %s, uid: %s}
          reason: %s
          message: "pod didn't trigger scale-up: 1 max node group size reached"
          type: Normal
          source: {component: %5$s}
          reportingComponent: %5$s
          firstTimestamp: "%6$s"
          lastTimestamp: "%6$s"
          """
              .formatted(
                  eventsMade++,
                  meta.getName(),
                  meta.getUid(),
                  reason,
                  component,
                  world.now().truncatedTo(ChronoUnit.SECONDS)));
    }
  }

  private void burst(int places, int jobs) {
    nodes.have(places);
    demand(jobs, 40);
    world
        .soon("runners that have a place, and others")
        .until(() -> running().size() == places && pods().size() == jobs);
  }

  private void awaitLimit(String reason, int places, String of) {
    world
        .soon(reason + " " + places)
        .untilAsserted(() ->
            assertThat(limits()).containsExactly(new CapacityLimitStatus(reason, places, of)));
  }

  @Test
  void theRefusalOfAnAutoscalerLimitsTheSetAndOneRunnerTries() {
    begin("");
    burst(3, 5);
    report("default-scheduler", "FailedScheduling");
    world.passInRounds(Duration.ofSeconds(60));
    assertThat(limits()).as("an autoscaler may make a node").isEmpty();
    assertThat(capacity()).isEqualTo(MAX);
    report("cluster-autoscaler", "NotTriggerScaleUp");
    awaitLimit("Unschedulable", 4, "cluster-autoscaler");
    assertThat(capacity()).as("what is assigned").isEqualTo(5);
    world.awaitCondition("linux", "CapacityLimited", "True", "Unschedulable");
    assertThat(world.condition("linux", "CapacityLimited").orElseThrow().getMessage())
        .contains("one runner at a time tries", "max node group size reached", "make room");
    demand(4, 40);
    world.soon("one that tries").until(() -> waiting().size() == 1);
    demand(3, 40);
    awaitLimit("Unschedulable", 3, "cluster-autoscaler");
    assertThat(placement()).as("it outlives the pods").isNotNull();
    world.passInRounds(Duration.ofMinutes(10));
    awaitLimit("Unschedulable", 4, "cluster-autoscaler");
    assertThat(world.metrics())
        .containsPattern("capacity_withheld\\{[^}]*reason=\"Unschedulable\"[^}]*} 46");
  }

  @Test
  void karpenterRefusesInItsOwnName() {
    begin("");
    burst(1, 2);
    report("karpenter", "FailedScheduling");
    awaitLimit("Unschedulable", 2, "karpenter");
  }

  @Test
  void aPromiseOfANodeIsNoRefusal() {
    begin("");
    burst(1, 2);
    report("cluster-autoscaler", "NotTriggerScaleUp");
    world.pass(Duration.ofSeconds(2));
    report("cluster-autoscaler", "TriggeredScaleUp");
    world.passInRounds(Duration.ofSeconds(60));
    assertThat(limits()).isEmpty();
  }

  @Test
  void onlyAContainerThatRanLiftsItAndThenTheRoomDoubles() {
    begin("nodes: Fixed");
    burst(2, 4);
    awaitLimit("Unschedulable", 3, "scheduler");
    nodes.have(MAX);
    world.soon("all run").until(() -> running().size() == 4);
    var rooms = new ArrayList<Integer>();
    for (int step = 0; step < 8 && !limits().isEmpty(); step++) {
      int before = running().size();
      world.soon("a rise").until(() -> capacity() > before);
      rooms.add(capacity() - before);
      demand(capacity(), 40);
      int wanted = capacity();
      world.soon("they run").until(() -> running().size() >= Math.min(wanted, MAX));
    }
    assertThat(rooms.getFirst()).isLessThanOrEqualTo(8);
    world.soon("no limit").until(() -> limits().isEmpty() && capacity() == MAX);
    assertThat(placement()).isNull();
  }

  @Test
  void anImageThatCannotBePulledLimitsTheSet() {
    begin("");
    nodes.have(1);
    demand(1, 40);
    world.soon("one runs").until(() -> running().size() == 1);
    nodes.hinder(new PodFault.ImagePullFails());
    nodes.have(MAX);
    demand(3, 40);
    world
        .soon("a limit")
        .untilAsserted(() ->
            assertThat(limits())
                .singleElement()
                .satisfies(limit -> {
                  assertThat(limit.reason()).isEqualTo("NotStarting");
                  assertThat(limit.places()).isEqualTo(2);
                }));
    world.awaitCondition("linux", "CapacityLimited", "True", "NotStarting");
  }

  @Test
  void aSetThatIgnoresPlacementIsNotLimited() {
    begin("nodes: Fixed, placement: Ignore");
    burst(1, 3);
    report("cluster-autoscaler", "NotTriggerScaleUp");
    world.passInRounds(Duration.ofSeconds(60));
    assertThat(limits()).isEmpty();
    assertThat(capacity()).isEqualTo(MAX);
    assertThat(placement()).isNull();
    world.spec("linux", "capacity: {placement: Enforce}");
    awaitLimit("Unschedulable", 2, "cluster-autoscaler");
  }

  @Test
  void aRestartKeepsTheLimitAndSoDoesSomebodyWhoWipesTheStatus() {
    begin("");
    burst(2, 3);
    report("cluster-autoscaler", "NotTriggerScaleUp");
    awaitLimit("Unschedulable", 3, "cluster-autoscaler");
    demand(2, 40);
    awaitLimit("Unschedulable", 2, "cluster-autoscaler");
    var before = placement();
    world.patch(world.set("linux"), "{\"capacity\": null}");
    world
        .soon("what somebody wiped")
        .until(() -> world.set("linux").statusOrNone().capacity() != null);
    assertThat(placement()).isEqualTo(before);
    world.stopController();
    world.startController();
    world.passInRounds(Duration.ofSeconds(60));
    assertThat(placement()).isEqualTo(before);
    assertThat(capacity()).isEqualTo(2);
  }

  @Test
  void withoutTheRightToListEventsNoRefusalCounts() {
    world.api.faults().hide(ControllerWorld.WRITER, "events");
    begin("");
    burst(1, 2);
    report("cluster-autoscaler", "NotTriggerScaleUp");
    world.passInRounds(Duration.ofSeconds(60));
    assertThat(limits()).isEmpty();
    assertThat(listsOfEvents()).as("a refusal is not repeated").isEqualTo(1);
    world.spec("linux", "capacity: {nodes: Fixed}");
    awaitLimit("Unschedulable", 2, "scheduler");
  }

  @Test
  void eventsAreListedOnceInTenSecondsWhileARunnerWaitsForLong() {
    begin("");
    burst(1, 1);
    world.passInRounds(Duration.ofSeconds(60));
    assertThat(listsOfEvents()).as("all run").isZero();
    demand(3, 40);
    Awaitility.await("two wait").until(() -> waiting().size() == 2); // without jumps of the clock
    assertThat(listsOfEvents()).as("they have just been made").isZero();
    world.passInRounds(Duration.ofSeconds(20));
    var begun = world.now();
    world.passInRounds(Duration.ofMinutes(2));
    assertThat(listsOfEvents())
        .isBetween(3L, 4 + Duration.between(begun, world.now()).toSeconds() / 10);
  }

  /**
   * The first runners find out; later ones that fail are replaced one in each window: 3 in 35
   * minutes, and 120 with {@code placement: Ignore}.
   */
  @Test
  void aFullClusterOfFixedSizeSpendsOneJitConfigInEachWindow() {
    begin("nodes: Fixed, placement: Enforce");
    burst(10, MAX);
    awaitLimit("Unschedulable", 11, "scheduler");
    long first = jitConfigs();
    for (int i = 0; i < 70; i++) {
      world.passInRounds(Duration.ofSeconds(30));
    }
    assertThat(jitConfigs() - first).as("in 35 minutes, by windows of 10").isBetween(2L, 5L);
    assertThat(running()).hasSize(10);
    assertThat(capacity()).as("what is assigned").isEqualTo(MAX);
  }
}

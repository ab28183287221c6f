package dev.runnerset.e2e.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.CapacityLimitStatus;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.world.World;
import dev.runnerset.simulator.node.NodeOptions;
import dev.runnerset.simulator.node.SimulatedNode;
import dev.runnerset.simulator.service.JobRequest;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** One node is full; another one comes. */
final class PlacementScript {
  static final int PLACES = 3;
  private static final int MAX = 20;
  private static final String OTHER = "other";
  private static final Duration SHORT = Duration.ofSeconds(2);
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration LONGER = Duration.ofSeconds(120);
  private static final Duration SOON = Duration.ofSeconds(60);

  /** The time after which events are listed, twice the time between two lists, and a pass. */
  private static final Duration EVENTS_ARE_READ = Duration.ofSeconds(42);

  private final World world;
  private final Progress progress;

  PlacementScript(World world, Progress progress) {
    this.world = world;
    this.progress = progress;
  }

  /** The cluster gets no nodes by itself: the scheduler says which pod finds no place. */
  void fixed() {
    begin("capacity: {nodes: Fixed}");
    progress.step("one job more than the node has places");
    submit(World.SET, PLACES + 1, LONG);
    awaitLimit(World.SET, PLACES + 1, "scheduler");
    assertThat(verdicts(World.SET))
        .singleElement()
        .satisfies(verdict -> {
          assertThat(verdict.getReason()).isEqualTo("Unschedulable");
          assertThat(verdict.getMessage()).contains("Too many pods");
        });
    await("the number at the service falls", () -> capacity(World.SET) == PLACES + 1);
    submit(World.SET, 5, SHORT);
    world.pass(Duration.ofSeconds(5));
    assertThat(assigned(World.SET)).isEqualTo(PLACES + 1);
    assertThat(jitConfigs()).isEqualTo(PLACES + 1);
    anotherNode(() -> {
      await("the number rises again", () -> capacity(World.SET) > PLACES + 1);
      world.awaitJobsDone(LONGER);
    });
  }

  /** An autoscaler may bring a node: only its own refusal counts. */
  void scalable() {
    begin("capacity: {nodes: Scalable}");
    world.prepare(OTHER);
    world.makeSet(OTHER, OTHER, world.configUrl("my-org"), fields(""), World.CONTAINER);
    world.awaitListening(OTHER);
    submit(World.SET, PLACES + 1, LONGER);
    world.awaitBusy(PLACES);
    submit(OTHER, 1, SHORT);
    progress.step("the scheduler has no place, and says so by an event");
    await("its events", () -> !world.events("FailedScheduling").isEmpty());
    world.pass(EVENTS_ARE_READ);
    assertThat(listsOfEvents()).as("lists of events by the controller").isPositive();
    assertThat(List.of(limits(World.SET), limits(OTHER))).allMatch(List::isEmpty);
    assertThat(List.of(capacity(World.SET), capacity(OTHER))).containsOnly(MAX);
    progress.step("two autoscalers refuse to make a node");
    clusterAutoscalerRefuses(unplaced(World.SET).orElseThrow());
    karpenterRefuses(unplaced(OTHER).orElseThrow());
    awaitLimit(World.SET, PLACES + 1, "cluster-autoscaler");
    awaitLimit(OTHER, 1, "karpenter");
    await("the numbers fall", () -> capacity(World.SET) == PLACES + 1 && capacity(OTHER) == 1);
    submit(OTHER, 3, SHORT);
    anotherNode(() -> {
      await("a number rises again", () -> capacity(OTHER) > 1);
      world.awaitJobsDone(LONGER.multipliedBy(2));
    });
    world.kube().resources(AutoScalingRunnerSet.class).inNamespace(OTHER).withName(OTHER).delete();
    await("the other set is gone", () -> set(OTHER).isEmpty());
  }

  private void begin(String capacity) {
    world.start();
    world.prepare();
    world.makeSet(World.SET, world.configUrl("my-org"), fields(", " + capacity), World.CONTAINER);
    world.awaitListening(World.SET);
  }

  private static String fields(String more) {
    return "minRunners: 0, maxRunners: " + MAX + more;
  }

  /** There is another node until this is done, and nothing is left on it. */
  private void anotherNode(Runnable what) {
    progress.step("a node with room for all comes");
    var options = NodeOptions.defaults().withName("another-node").withMaxPods(MAX).withScheduler();
    try (var node = SimulatedNode.start(world.cluster().admin(), options)) {
      what.run();
      await(
          "no pod is left", () -> world.kube().pods().inAnyNamespace().list().getItems().isEmpty());
      assertThat(node.timings()).as("pods that ran there").isNotEmpty();
    }
  }

  private void submit(String set, int jobs, Duration length) {
    world.service().submit(JobRequest.of(jobs, set, length));
  }

  private void await(String what, BooleanSupplier done) {
    world.await(what, SOON, done, world::readyMessage);
  }

  private void awaitLimit(String set, int places, String of) {
    var limit = new CapacityLimitStatus("Unschedulable", places, of);
    world.await(
        set + " is limited by " + of,
        SOON,
        () -> limits(set).equals(List.of(limit)),
        () -> limits(set) + "; " + world.readyMessage());
  }

  private Optional<AutoScalingRunnerSet> set(String name) {
    return world
        .kube()
        .resources(AutoScalingRunnerSet.class)
        .inAnyNamespace()
        .list()
        .getItems()
        .stream()
        .filter(set -> set.getMetadata().getName().equals(name))
        .findFirst();
  }

  private List<CapacityLimitStatus> limits(String set) {
    var capacity = set(set).orElseThrow().statusOrNone().capacity();
    return capacity == null ? List.of() : capacity.limits();
  }

  private int capacity(String set) {
    return world.service().scaleSets().stream()
        .filter(each -> each.name().equals(set))
        .map(each -> Objects.requireNonNullElse(each.capacity(), -1))
        .findFirst()
        .orElseThrow();
  }

  private int assigned(String set) {
    return world.service().scaleSets().stream()
        .filter(each -> each.name().equals(set))
        .mapToInt(each -> each.statistics().assigned())
        .sum();
  }

  private long jitConfigs() {
    return world.service().counters().getOrDefault("generatejitconfig", 0L);
  }

  private long listsOfEvents() {
    return world.cluster().counts().orElseThrow().ofController("list", "events");
  }

  /** What the scheduler says of pods that it does not bind. */
  private List<PodCondition> verdicts(String set) {
    return unplaced(set).stream()
        .flatMap(pod -> pod.getStatus().getConditions().stream())
        .filter(condition -> condition.getType().equals("PodScheduled"))
        .toList();
  }

  private Optional<Pod> unplaced(String set) {
    return world.kube().pods().inAnyNamespace().list().getItems().stream()
        .filter(pod -> pod.getMetadata().getName().startsWith(set + "-"))
        .filter(pod -> pod.getSpec().getNodeName() == null)
        .findFirst();
  }

  /** As its version 1.3x does. */
  private void clusterAutoscalerRefuses(Pod pod) {
    var at = world.now().truncatedTo(ChronoUnit.SECONDS).toString();
    world
        .kube()
        .resource(
            event(pod)
                .withReason("NotTriggerScaleUp")
                .withMessage("pod didn't trigger scale-up: 1 max node group size reached")
                .withNewSource()
                .withComponent("cluster-autoscaler")
                .endSource()
                .withFirstTimestamp(at)
                .withLastTimestamp(at)
                .build())
        .create();
  }

  /** By the field of today: the scheduler uses the same reason in its own name. */
  private void karpenterRefuses(Pod pod) {
    world
        .kube()
        .resource(
            event(pod)
                .withReason("FailedScheduling")
                .withMessage("Failed to schedule pod, all available instance types exceed limits")
                .withReportingComponent("karpenter")
                .withReportingInstance("karpenter-0")
                .withAction("Scheduling")
                .withEventTime(
                    new MicroTime(
                        world
                            .now()
                            .truncatedTo(ChronoUnit.SECONDS)
                            .toString()
                            .replace("Z", ".000000Z")))
                .build())
        .create();
  }

  private static EventBuilder event(Pod pod) {
    var meta = pod.getMetadata();
    return new EventBuilder()
        .withNewMetadata()
        .withGenerateName(meta.getName() + ".")
        .withNamespace(meta.getNamespace())
        .endMetadata()
        .withType("Normal")
        .withNewInvolvedObject()
        .withApiVersion("v1")
        .withKind("Pod")
        .withNamespace(meta.getNamespace())
        .withName(meta.getName())
        .withUid(meta.getUid())
        .endInvolvedObject();
  }
}

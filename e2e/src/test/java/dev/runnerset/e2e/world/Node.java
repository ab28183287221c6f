package dev.runnerset.e2e.world;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Scheduler, kubelet and the runners in their containers; pods are bound to one of two nodes. */
final class Node implements ApiServer.Watcher {
  private static final List<String> NODES = List.of("node-1", "node-2");

  /** The container of one pod. */
  static final class Container {
    final String pod;
    final String uid;
    final String set;
    Long registration;
    String startedAt;
    String scheduledAt;
    String node;
    boolean ended;
    boolean terminating;
    boolean lacksSecret;

    Container(Pod pod) {
      this.pod = pod.getMetadata().getName();
      this.uid = pod.getMetadata().getUid();
      this.set = pod.getMetadata().getLabels().get(Labels.SET);
    }

    boolean runs() {
      return registration != null && !ended;
    }
  }

  private final World world;
  final Map<String, Container> byUid = new TreeMap<>();
  private final List<Cordons> hearers = new ArrayList<>();
  private String cordoned = "";
  private final Set<Long> configsUsed = new HashSet<>();

  /** Hears of cordons. */
  interface Cordons {
    void changed(String node, boolean cordoned);
  }

  Node(World world) {
    this.world = world;
  }

  // --- cordons

  /** An administrator cordons one of the nodes; a moment of calm before the next. */
  void cordonsOne(long millis) {
    if (!cordoned.isEmpty()) {
      return;
    }
    cordoned = world.chance.oneOf(NODES);
    world.trace.say("user", "cordons " + cordoned);
    List.copyOf(hearers).forEach(hearer -> hearer.changed(cordoned, true));
    world.time.in(millis, this::uncordons);
  }

  private void uncordons() {
    world.trace.say("user", "uncordons " + cordoned);
    var node = cordoned;
    cordoned = "";
    List.copyOf(hearers).forEach(hearer -> hearer.changed(node, false));
  }

  /** From now on it hears of cordons; of the present one at once. */
  void hear(Cordons hearer) {
    hearers.add(hearer);
    if (!cordoned.isEmpty()) {
      hearer.changed(cordoned, true);
    }
  }

  void forget(Cordons hearer) {
    hearers.remove(hearer);
  }

  /** The runners that still are on a cordoned node. */
  List<String> onCordonedNode() {
    return byUid.values().stream()
        .filter(c -> c.runs() && cordoned.equals(c.node))
        .map(c -> c.pod)
        .toList();
  }

  @Override
  public void changed(HasMetadata before, HasMetadata after, long version) {
    if (after instanceof Pod pod) {
      if (before == null) {
        appears(pod);
      } else if (pod.getMetadata().getDeletionTimestamp() != null) {
        var container = byUid.get(pod.getMetadata().getUid());
        if (container != null && !container.terminating) {
          container.terminating = true;
          world.time.in(world.chance.millis(50, 2_000), () -> goes(container));
        }
      }
    }
  }

  private void appears(Pod pod) {
    var container = new Container(pod);
    byUid.put(container.uid, container);
    world.time.in(world.chance.millis(20, world.clean ? 300 : 2_000), () -> bind(container));
  }

  private boolean isPresent(Container container) {
    var pod = world.server.get(Pod.class, container.pod);
    return pod != null && pod.getMetadata().getUid().equals(container.uid);
  }

  private void bind(Container container) {
    if (!isToBePlaced(container)) {
      return;
    }
    if (world.room != null) {
      world.room.seek(container);
      return;
    }
    bindTo(
        container,
        world.chance.oneOf(NODES.stream().filter(node -> !node.equals(cordoned)).toList()));
  }

  // --- places

  boolean isToBePlaced(Container container) {
    return isPresent(container) && !container.terminating && container.node == null;
  }

  /** The pods of a set that have not ended. */
  int podsOf(OneSet set) {
    return (int)
        byUid.values().stream()
            .filter(c -> c.set.equals(set.name()) && !c.ended && !c.terminating)
            .count();
  }

  /** The container of the pod of that name; null for none. */
  Container podNamed(String name) {
    return byUid.values().stream().filter(c -> c.pod.equals(name)).findFirst().orElse(null);
  }

  /** The scheduler has no place for the pod. */
  void cannotBePlaced(Container container) {
    world.trace.say("node", "has no place for " + container.pod);
    var refusal =
        new PodConditionBuilder()
            .withType("PodScheduled")
            .withStatus("False")
            .withReason("Unschedulable")
            .withMessage("0/2 nodes are available: 2 Too many pods.")
            .withLastTransitionTime(world.time.timestamp())
            .build();
    world.server.edit(
        Pod.class,
        container.pod,
        pod -> {
          pod.setStatus(
              new PodStatusBuilder().withPhase("Pending").withConditions(refusal).build());
          return pod;
        });
  }

  /** A machine dies with all that is on it. */
  void losesMachine(String name) {
    byUid.values().stream()
        .filter(c -> name.equals(c.node) && !c.ended)
        .toList()
        .forEach(this::loses);
  }

  private void freed() {
    if (world.room != null) {
      world.room.freed();
    }
  }

  void bindTo(Container container, String machine) {
    container.scheduledAt = world.time.timestamp();
    container.node = machine;
    status(container, waiting(container, "ContainerCreating"));
    var slow = world.chance.fault(30) ? 400_000 : 0; // longer than its deadline
    world.time.in(
        slow + world.chance.millis(100, world.clean ? 400 : 4_000), () -> starts(container));
  }

  private void starts(Container container) {
    if (!isPresent(container) || container.terminating) {
      return;
    }
    var secret = world.server.get(Secret.class, container.pod);
    if (secret == null) {
      if (!container.lacksSecret) {
        container.lacksSecret = true;
        status(container, waiting(container, "CreateContainerConfigError"));
      }
      world.time.in(5_000, () -> starts(container));
      return;
    }
    var token = Base64.getDecoder().decode(secret.getData().get("jitToken"));
    container.registration = Long.valueOf(new String(token, StandardCharsets.UTF_8));
    container.startedAt = world.time.timestamp();
    world.trace.say("node", container.pod + " starts as runner " + container.registration);
    if (!configsUsed.add(container.registration)) {
      throw world.violated(
          "I6", "the JIT config of " + container.registration + " starts two pods");
    }
    status(container, running(container));
    if (world.room != null) {
      world.rules.room.ran(world.set(container.set));
    }
    if (world.chance.fault(20)) {
      world.time.in(world.chance.millis(10, 3_000), () -> exits(container, 1));
      return;
    }
    world.time.in(world.chance.millis(5, world.clean ? 60 : 3_000), () -> connects(container));
  }

  private void connects(Container container) {
    if (container.runs() && !world.service.online(container.registration)) {
      exits(container, 1); // the service does not know it
    }
  }

  /** The runner in the container of that registration has finished its job. */
  void jobIsOver(long registration) {
    of(registration)
        .forEach(c ->
            world.time.in(world.chance.millis(5, world.clean ? 200 : 3_000), () -> exits(c, 0)));
  }

  /** The registration was removed while the runner was idle: it ends. */
  void refusedByService(long registration) {
    of(registration)
        .forEach(c -> world.time.in(world.chance.millis(100, 5_000), () -> exits(c, 1)));
  }

  private List<Container> of(long registration) {
    return byUid.values().stream().filter(c -> c.runs() && c.registration == registration).toList();
  }

  /** The job that the pod runs; null for none. */
  Service.Job jobIn(String podUid) {
    var container = byUid.get(podUid);
    if (container == null || !container.runs()) {
      return null;
    }
    var registration = world.service.registrations.get(container.registration);
    return registration == null ? null : registration.job;
  }

  private void exits(Container container, int code) {
    if (!container.runs()) {
      return;
    }
    container.ended = true;
    world.trace.say("node", container.pod + " exits with " + code);
    world.service.disconnected(container.registration);
    if (isPresent(container)) {
      status(container, exited(container, code));
    }
    freed();
  }

  /** The kubelet ends a pod that somebody deleted. */
  private void goes(Container container) {
    if (!isPresent(container)) {
      return;
    }
    if (container.runs()) {
      world.rules.killed(container, world.server.deletedBy(container.uid));
      world.trace.say("node", container.pod + " is killed");
      container.ended = true;
      world.service.disconnected(container.registration);
    }
    byUid.remove(container.uid);
    world.server.remove(world.server.get(Pod.class, container.pod));
    freed();
  }

  /** A machine dies with one of its pods. */
  void losesOne() {
    var there = new ArrayList<>(byUid.values());
    if (there.isEmpty()) {
      return;
    }
    loses(world.chance.oneOf(there));
  }

  /** A machine dies with the job that has just begun there. */
  void losesSoon(String pod) {
    world.time.in(world.chance.millis(1, 30_000), () -> losesNow(pod));
  }

  void losesNow(String pod) {
    List.copyOf(byUid.values()).stream()
        .filter(container -> container.pod.equals(pod) && container.runs())
        .forEach(this::loses);
  }

  private void loses(Container container) {
    world.trace.say("node", "is lost with " + container.pod);
    if (container.runs()) {
      container.ended = true;
      world.service.disconnected(container.registration);
    }
    container.terminating = true;
    byUid.remove(container.uid);
    if (isPresent(container)) {
      world.server.remove(world.server.get(Pod.class, container.pod));
    }
    freed();
  }

  // --- statuses

  private void status(Container container, PodStatus status) {
    world.server.edit(
        Pod.class,
        container.pod,
        pod -> {
          if (pod.getSpec().getNodeName() == null) {
            pod.setSpec(new PodSpecBuilder(pod.getSpec()).withNodeName(container.node).build());
          }
          pod.setStatus(status);
          return pod;
        });
  }

  private static PodStatusBuilder scheduled(Container of, String phase) {
    return new PodStatusBuilder()
        .withPhase(phase)
        .withConditions(
            new PodConditionBuilder()
                .withType("PodScheduled")
                .withStatus("True")
                .withLastTransitionTime(of.scheduledAt)
                .build());
  }

  private static ContainerStatusBuilder container() {
    return new ContainerStatusBuilder().withName("runner").withImage("runner").withRestartCount(0);
  }

  private static PodStatus waiting(Container of, String reason) {
    var state =
        new ContainerStateBuilder().withNewWaiting().withReason(reason).endWaiting().build();
    return scheduled(of, "Pending")
        .withContainerStatuses(container().withState(state).build())
        .build();
  }

  private static PodStatus running(Container of) {
    var state =
        new ContainerStateBuilder().withNewRunning().withStartedAt(of.startedAt).endRunning();
    return scheduled(of, "Running")
        .withContainerStatuses(
            container().withReady(true).withStarted(true).withState(state.build()).build())
        .build();
  }

  private PodStatus exited(Container of, int code) {
    var state =
        new ContainerStateBuilder()
            .withNewTerminated()
            .withExitCode(code)
            .withReason(code == 0 ? "Completed" : "Error")
            .withStartedAt(of.startedAt)
            .withFinishedAt(world.time.timestamp())
            .endTerminated();
    return scheduled(of, code == 0 ? "Succeeded" : "Failed")
        .withContainerStatuses(container().withState(state.build()).build())
        .build();
  }

  /** The runner that the pod is of; null if it is gone. */
  EphemeralRunner runnerOf(Container container) {
    return world.server.get(EphemeralRunner.class, container.pod);
  }
}

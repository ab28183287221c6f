package dev.runnerset.e2e.world;

import dev.runnerset.controller.features.capacity.Quota;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What there is room for in a crowded world: quotas of namespaces, nodes of pools, and pods of
 * others, which take both. Admits pods, and finds nodes for them.
 */
final class Room implements ApiServer.Watcher {
  private static final List<String> ENDED = List.of("Succeeded", "Failed");
  private static final String QUOTA = "few";

  /** Hears of a namespace in which a quota has changed. */
  interface Hearer {
    void changed(String namespace);
  }

  /** The quota of a namespace: what it allows, null for any number, and what the server counts. */
  private static final class Limits {
    Integer hardPods;
    Integer hardCpu;
    int usedPods;
    int usedCpu;
    int others;

    boolean isThere() {
      return hardPods != null || hardCpu != null;
    }

    int room(int cpu) {
      int ofPods = hardPods == null ? Integer.MAX_VALUE : hardPods - usedPods;
      int ofCpu = hardCpu == null ? Integer.MAX_VALUE : Math.floorDiv(hardCpu - usedCpu, cpu);
      return Math.min(ofPods, ofCpu);
    }
  }

  private record Machine(String name, int places) {}

  /** Nodes that take the same pods; an autoscaler makes more, unless they are fixed. */
  private static final class Pool {
    final boolean fixed;
    final int most;
    final List<Machine> machines = new ArrayList<>();
    final List<Node.Container> waiting = new ArrayList<>();
    int others;
    boolean considered;

    Pool(boolean fixed, int most) {
      this.fixed = fixed;
      this.most = most;
    }
  }

  private final World world;
  private final Map<String, Limits> byNamespace = new TreeMap<>();
  private final Map<String, Pool> pools = new TreeMap<>();
  private final Map<String, List<Event>> eventsByNamespace = new HashMap<>();
  private final List<Hearer> hearers = new ArrayList<>();
  private int machines;

  Room(World world) {
    this.world = world;
    for (var set : world.sets) {
      byNamespace.computeIfAbsent(set.namespace(), _ -> new Limits());
      pools.computeIfAbsent(
          set.pool(), _ -> new Pool(set.fixedNodes(), 1 + world.chance.random.nextInt(3)));
    }
    pools.values().forEach(pool -> adds(pool, 1 + world.chance.random.nextInt(8)));
  }

  List<String> namespaces() {
    return List.copyOf(byNamespace.keySet());
  }

  List<String> pools() {
    return List.copyOf(pools.keySet());
  }

  void hear(Hearer hearer) {
    hearers.add(hearer);
  }

  void forget(Hearer hearer) {
    hearers.remove(hearer);
  }

  // --- quotas

  /** As the API server has them now. */
  List<Quota> quotas(String namespace) {
    var limits = byNamespace.get(namespace);
    if (!limits.isThere()) {
      return List.of();
    }
    var hard = new HashMap<String, Quantity>();
    var used = new HashMap<String, Quantity>();
    if (limits.hardPods != null) {
      hard.put("pods", new Quantity(limits.hardPods.toString()));
      used.put("pods", new Quantity(Integer.toString(limits.usedPods)));
    }
    if (limits.hardCpu != null) {
      hard.put("requests.cpu", new Quantity(limits.hardCpu.toString()));
      used.put("requests.cpu", new Quantity(Integer.toString(limits.usedCpu)));
    }
    return List.of(
        Quota.of(
            new ResourceQuotaBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(QUOTA)
                .endMetadata()
                .withNewSpec()
                .withHard(hard)
                .endSpec()
                .withNewStatus()
                .withHard(hard)
                .withUsed(used)
                .endStatus()
                .build()));
  }

  /** How many more runners of the set the quota admits. */
  int ofQuota(OneSet set) {
    return byNamespace.get(set.namespace()).room(set.cpu());
  }

  /** The same once the API server has counted what has ended. */
  int ofQuotaSoon(OneSet set) {
    var limits = byNamespace.get(set.namespace());
    var soon = new Limits();
    soon.hardPods = limits.hardPods;
    soon.hardCpu = limits.hardCpu;
    soon.others = limits.others;
    count(set.namespace(), soon);
    return soon.room(set.cpu());
  }

  /** Whether the pod may be made: then it counts at once. */
  void admit(Pod pod) {
    var set = setOf(pod);
    var limits = byNamespace.get(set.namespace());
    if (limits.room(set.cpu()) < 1) {
      throw ApiServer.refused(
          403,
          "Forbidden",
          "pods \"%s\" is forbidden: exceeded quota: %s, requested: pods=1, used: pods=%d"
              .formatted(pod.getMetadata().getName(), QUOTA, limits.usedPods));
    }
    limits.usedPods++;
    limits.usedCpu += set.cpu();
    say(set.namespace());
  }

  @Override
  public void changed(HasMetadata before, HasMetadata after, long version) {
    if (before instanceof Pod pod && !hasEnded(pod) && (after == null || hasEnded((Pod) after))) {
      var namespace = setOf(pod).namespace();
      world.time.in(world.chance.millis(100, 3_000), () -> recount(namespace));
    }
  }

  private static boolean hasEnded(Pod pod) {
    return pod.getStatus() != null && ENDED.contains(pod.getStatus().getPhase());
  }

  private OneSet setOf(Pod pod) {
    return world.set(pod.getMetadata().getLabels().get(Labels.SET));
  }

  private void recount(String namespace) {
    count(namespace, byNamespace.get(namespace));
    say(namespace);
  }

  private void count(String namespace, Limits limits) {
    var sets =
        world.server.all(Pod.class).stream()
            .filter(pod -> !hasEnded(pod))
            .map(this::setOf)
            .filter(set -> set.namespace().equals(namespace))
            .toList();
    limits.usedPods = limits.others + sets.size();
    limits.usedCpu = limits.others + sets.stream().mapToInt(OneSet::cpu).sum();
  }

  private void say(String namespace) {
    for (var hearer : List.copyOf(hearers)) {
      world.time.in(world.chance.millis(1, 120), () -> hearer.changed(namespace));
    }
  }

  /** A person limits the pods of a namespace, and their processors; null for any number. */
  void limit(String namespace, Integer pods, Integer cpu) {
    world.trace.say("user", "limits " + namespace + " to " + pods + " pods, " + cpu + " cpu");
    var limits = byNamespace.get(namespace);
    limits.hardPods = pods;
    limits.hardCpu = cpu;
    recount(namespace);
  }

  // --- nodes

  /** Others take places; each of their pods counts in the namespace. */
  void othersCome(String namespace, String pool, int pods, long millis) {
    var of = pools.get(pool);
    int come = Math.min(pods, Math.min(free(of), Math.max(0, byNamespace.get(namespace).room(1))));
    world.trace.say("others", come + " pods come to " + namespace + ", " + pool);
    others(namespace, of, come);
    world.time.in(
        millis,
        () -> {
          world.trace.say("others", come + " pods leave " + namespace + ", " + pool);
          others(namespace, of, -come);
        });
  }

  private void others(String namespace, Pool pool, int more) {
    pool.others += more;
    byNamespace.get(namespace).others += more;
    recount(namespace);
    freed();
  }

  private void adds(Pool pool, int places) {
    pool.machines.add(new Machine("machine-" + ++machines, places));
  }

  void machineComes(String pool, int places) {
    world.trace.say("node", "a machine with " + places + " places comes to " + pool);
    adds(pools.get(pool), places);
    freed();
  }

  /** A machine dies with all its pods. */
  void machineGoes(String pool) {
    var of = pools.get(pool);
    if (of.machines.isEmpty()) {
      return;
    }
    var gone = world.chance.oneOf(of.machines);
    of.machines.remove(gone);
    world.trace.say("node", gone + " leaves " + pool);
    world.node.losesMachine(gone.name());
  }

  /** How many more pods find a place for the runners of the set, the ones on their way aside. */
  int places(OneSet set) {
    var pool = pools.get(set.pool());
    long onTheirWay =
        world.node.byUid.values().stream()
            .filter(c -> c.node == null && !c.terminating && !pool.waiting.contains(c))
            .filter(c -> world.set(c.set).pool().equals(set.pool()))
            .count();
    return free(pool) - pool.waiting.size() - (int) onTheirWay;
  }

  /** How many pods of the set wait for a place. */
  int waiting(OneSet set) {
    return (int)
        pools.get(set.pool()).waiting.stream().filter(c -> c.set.equals(set.name())).count();
  }

  private int free(Pool pool) {
    return pool.machines.stream().mapToInt(machine -> free(pool, machine)).sum();
  }

  /** The pods of others are on the first machines. */
  private int free(Pool pool, Machine machine) {
    int before =
        pool.machines.stream()
            .takeWhile(each -> !each.equals(machine))
            .mapToInt(Machine::places)
            .sum();
    int others = Math.clamp(pool.others - before, 0, machine.places());
    int own =
        (int)
            world.node.byUid.values().stream()
                .filter(c -> !c.ended && machine.name().equals(c.node))
                .count();
    return Math.max(0, machine.places() - others - own);
  }

  /** A pod is to be bound. */
  void seek(Node.Container container) {
    var pool = pools.get(world.set(container.set).pool());
    if (!bind(pool, container)) {
      pool.waiting.add(container);
      world.rules.room.refused(world.set(container.set), pool.fixed);
      world.node.cannotBePlaced(container);
      if (!pool.fixed) {
        consider(pool);
      }
    }
  }

  private boolean bind(Pool pool, Node.Container container) {
    var machine =
        pool.machines.stream().filter(each -> free(pool, each) > 0).findFirst().orElse(null);
    if (machine == null) {
      return false;
    }
    world.node.bindTo(container, machine.name());
    return true;
  }

  /** The pods that wait get what has become free. */
  void freed() {
    for (var pool : pools.values()) {
      pool.waiting.removeIf(container -> !world.node.isToBePlaced(container));
      for (var container : List.copyOf(pool.waiting)) {
        if (bind(pool, container)) {
          pool.waiting.remove(container);
        }
      }
    }
  }

  // --- the autoscaler

  private void consider(Pool pool) {
    if (pool.considered) {
      return;
    }
    pool.considered = true;
    world.time.in(world.chance.millis(3_000, 12_000), () -> decide(pool));
  }

  private void decide(Pool pool) {
    pool.considered = false;
    freed();
    if (pool.waiting.isEmpty()) {
      return;
    }
    boolean mayGrow = pool.machines.size() < pool.most;
    pool.waiting.forEach(
        container -> event(container, mayGrow ? "TriggeredScaleUp" : "NotTriggerScaleUp"));
    if (mayGrow) {
      pool.considered = true;
      world.time.in(
          world.chance.millis(5_000, 40_000),
          () -> {
            pool.considered = false;
            adds(pool, 1 + world.chance.random.nextInt(4));
            freed();
            consider(pool);
          });
    } else {
      consider(pool);
    }
  }

  private void event(Node.Container container, String reason) {
    var set = world.set(container.set);
    world.trace.say("autoscaler", reason + " " + container.pod);
    if (reason.equals("NotTriggerScaleUp")) {
      world.rules.room.refused(set, true);
    }
    var made =
        new EventBuilder()
            .withNewInvolvedObject()
            .withKind("Pod")
            .withName(container.pod)
            .withUid(container.uid)
            .endInvolvedObject()
            .withReason(reason)
            .withMessage("pod didn't trigger scale-up: max node group size reached")
            .withNewSource("cluster-autoscaler", null)
            .withLastTimestamp(world.time.timestamp())
            .build();
    eventsByNamespace.computeIfAbsent(set.namespace(), _ -> new ArrayList<>()).add(made);
  }

  List<Event> events(String namespace) {
    return List.copyOf(eventsByNamespace.getOrDefault(namespace, List.of()));
  }

  /** From now on there is room for all. */
  void heals() {
    namespaces().forEach(namespace -> limit(namespace, null, null));
    pools.values().forEach(pool -> adds(pool, 50));
    freed();
  }
}

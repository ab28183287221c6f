package dev.runnerset.e2e.drain;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.demo.world.World;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Cordons one node and empties it as {@code kubectl drain} does: each pod is evicted, and one whose
 * eviction is refused is evicted again after 5 s, until no pod is left.
 */
final class NodeDrain {
  private static final Duration RETRY = Duration.ofSeconds(5);
  private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

  private final KubernetesClient kube;
  private final String node;
  private final Clock clock;
  private final Map<String, Instant> refusedAtByUid = new HashMap<>();
  private final Set<String> evicted = new HashSet<>(); // uids
  private int refusals;

  NodeDrain(KubernetesClient kube, String node, Clock clock) {
    this.kube = kube;
    this.node = node;
    this.clock = clock;
  }

  String node() {
    return node;
  }

  void cordon(boolean is) {
    var patch = "{\"spec\": {\"unschedulable\": " + is + "}}";
    kube.nodes().withName(node).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  /** The pods that are there, also those that go. */
  List<Pod> pods() {
    return kube.pods()
        .inNamespace(World.NAMESPACE)
        .withField("spec.nodeName", node)
        .list()
        .getItems();
  }

  /** Pods that run and are not known to have a job. */
  long withoutJob() {
    var busy = busy();
    return pods().stream()
        .filter(pod -> !ENDED.contains(pod.getStatus().getPhase()))
        .filter(pod -> !busy.contains(pod.getMetadata().getName()))
        .count();
  }

  long withJob() {
    var busy = busy();
    return pods().stream().filter(pod -> busy.contains(pod.getMetadata().getName())).count();
  }

  /** The runners that are marked with a job; a pod has the name of its runner. */
  private Set<String> busy() {
    return kube
        .resources(EphemeralRunner.class)
        .inNamespace(World.NAMESPACE)
        .list()
        .getItems()
        .stream()
        .filter(runner -> runner.statusOrNone().isBusy())
        .map(runner -> runner.getMetadata().getName())
        .collect(Collectors.toSet());
  }

  /** Evicts what is due; true when the node is empty. */
  boolean step() {
    var pods = pods();
    var now = clock.instant();
    for (var pod : pods) {
      var uid = pod.getMetadata().getUid();
      var refusedAt = refusedAtByUid.get(uid);
      boolean due = refusedAt == null || !now.isBefore(refusedAt.plus(RETRY));
      if (due && !evicted.contains(uid)) {
        evict(pod, now);
      }
    }
    return pods.isEmpty();
  }

  private void evict(Pod pod, Instant now) {
    var meta = pod.getMetadata();
    try {
      if (kube.pods().inNamespace(meta.getNamespace()).withName(meta.getName()).evict()) {
        evicted.add(meta.getUid());
      } else {
        refusedAtByUid.put(meta.getUid(), now);
        refusals++;
      }
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw e;
      }
    }
  }

  /** Evictions that were refused, for the budget of the set. */
  int refusals() {
    return refusals;
  }

  int evictions() {
    return evicted.size();
  }
}

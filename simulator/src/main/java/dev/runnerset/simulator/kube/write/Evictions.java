package dev.runnerset.simulator.kube.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.kind.ResourceType;
import dev.runnerset.simulator.kube.status.ApiException;
import dev.runnerset.simulator.kube.store.Cluster;
import dev.runnerset.simulator.kube.store.ObjectRef;
import dev.runnerset.simulator.kube.store.ResourceStore;
import dev.runnerset.simulator.kube.store.StoredObject;
import java.util.List;
import java.util.Set;

/** Evictions: deletions of pods that a PodDisruptionBudget may refuse. */
public final class Evictions {
  private static final Set<String> NOT_GUARDED = Set.of("Pending", "Succeeded", "Failed");

  private final Cluster cluster;
  private final Writes writes;
  private final Deletes deletes;

  public Evictions(Cluster cluster, Writes writes, Deletes deletes) {
    this.cluster = cluster;
    this.writes = writes;
    this.deletes = deletes;
  }

  /**
   * Deletes the pod, if its budget allows that.
   *
   * @param eviction the body of the request
   */
  public void evict(ObjectRef ref, String name, JsonNode eviction, Deletes.Options options) {
    if (!eviction.at("/metadata/name").asText().equals(name)) {
      throw ApiException.badRequest("name in URL does not match name in Eviction object");
    }
    ResourceStore pods = cluster.store(ref.type());
    // one step, so that the pod is deleted as the one that was judged
    pods.<Void>locked(() -> {
      StoredObject pod = pods.find(ref.key());
      if (pod == null) {
        throw ApiException.notFound(ref.type().resource(), name);
      }
      Deletes.requirePreconditions(ref.type(), pod, options);
      boolean guarded =
          !NOT_GUARDED.contains(pod.json().at("/status/phase").asText()) && !pod.deleting();
      if (guarded) {
        askBudget(pod, options.dryRun());
      }
      if (!options.dryRun()) {
        tell(ref, pod);
      }
      var _ = deletes.delete(ref, name, options.withoutRevision());
      return null;
    });
  }

  private void askBudget(StoredObject pod, boolean dryRun) {
    ResourceType type = cluster.budgetType();
    List<StoredObject> budgets =
        Budgets.covering(cluster.store(type).objects(pod.namespace()), pod);
    if (budgets.isEmpty()) {
      return;
    }
    if (budgets.size() > 1) {
      throw ApiException.of(
          500,
          "",
          "This pod has more than one PodDisruptionBudget, which the eviction subresource does not"
              + " support.");
    }
    StoredObject budget = budgets.getFirst();
    if (Budgets.isReady(pod) || !maySpareUnready(budget)) {
      countDown(type, budget.name(), pod, dryRun);
    }
  }

  /** Whether a pod that is not ready may go without being counted. */
  private static boolean maySpareUnready(StoredObject budget) {
    JsonNode status = budget.json().path("status");
    int desired = status.path("desiredHealthy").asInt();
    return budget.json().at("/spec/unhealthyPodEvictionPolicy").asText().equals("AlwaysAllow")
        || (desired > 0 && status.path("currentHealthy").asInt() >= desired);
  }

  private void countDown(ResourceType type, String budget, StoredObject pod, boolean dryRun) {
    ObjectRef ref = new ObjectRef(type, ResourceStore.key(pod.namespace(), budget));
    var _ =
        writes.modify(
            ref,
            budget,
            Writes.Part.INTERNAL,
            next -> {
              requireRoom(new StoredObject(next, 0));
              ObjectNode status = next.withObjectProperty("status");
              Budgets.countDown(status, pod.name(), cluster.clock().instant());
              return next;
            },
            new Writes.Options(dryRun, "Ignore"));
  }

  private static void requireRoom(StoredObject budget) {
    JsonNode status = budget.json().path("status");
    int generation = budget.json().at("/metadata/generation").asInt();
    if (status.path("observedGeneration").asInt() < generation) {
      throw ApiException.disruptive(
          "The disruption budget " + budget.name() + " is still being processed by the server.",
          10);
    }
    if (status.path("disruptionsAllowed").asInt() == 0) {
      throw ApiException.disruptive(Budgets.refusal(budget), 0);
    }
  }

  /** The condition that tells why the pod goes. */
  private void tell(ObjectRef ref, StoredObject pod) {
    var _ =
        writes.modify(
            ref,
            pod.name(),
            Writes.Part.INTERNAL,
            next -> {
              ObjectNode status = next.withObjectProperty("status");
              ArrayNode conditions = status.withArrayProperty("conditions");
              conditions.removeIf(c -> c.path("type").asText().equals("DisruptionTarget"));
              ObjectNode condition = Json.object().put("type", "DisruptionTarget");
              condition.put("status", "True").put("reason", "EvictionByEvictionAPI");
              condition.put("message", "Eviction API: evicting");
              conditions.add(condition.put("lastTransitionTime", cluster.timestamp()));
              return next;
            },
            Writes.Options.NONE);
  }
}

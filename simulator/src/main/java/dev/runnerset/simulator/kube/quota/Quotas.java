package dev.runnerset.simulator.kube.quota;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.kind.Amount;
import dev.runnerset.simulator.kube.kind.PodResources;
import dev.runnerset.simulator.kube.kind.ResourceType;
import dev.runnerset.simulator.kube.status.ApiException;
import dev.runnerset.simulator.kube.store.Cluster;
import dev.runnerset.simulator.kube.store.ObjectRef;
import dev.runnerset.simulator.kube.store.ResourceStore;
import dev.runnerset.simulator.kube.store.StoredObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Quotas, as the real server and its controller keep them: an admission checks the status and
 * raises it at once; deletions, ends of pods and changes of limits come into it a little later.
 *
 * <p>Locks: the store of an object first, then that of the quotas.
 */
public final class Quotas {
  private static final Set<String> TO_SPECIFY =
      Set.of("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory");

  private final Cluster cluster;

  public Quotas(Cluster cluster) {
    this.cluster = cluster;
  }

  private ResourceType type() {
    return cluster.builtIn(ResourceType.QUOTAS);
  }

  private ResourceStore store() {
    return cluster.store(type());
  }

  /**
   * Charges a new object to all quotas that count it, or to none; to be called under the lock of
   * its store.
   *
   * @throws ApiException if one of them has no room for it
   */
  public void admit(ResourceType type, String namespace, ObjectNode object, boolean dryRun) {
    if (!type.namespaced() || store().isEmpty(namespace)) {
      return;
    }
    ResourceStore store = store();
    store.locked(() -> {
      List<ObjectNode> charged = new ArrayList<>();
      for (StoredObject quota : store.objects(namespace)) {
        ObjectNode next = charge(quota, type, object);
        if (next != quota.json()) {
          charged.add(next);
        }
      }
      if (!dryRun) {
        for (ObjectNode next : charged) {
          String name = next.at("/metadata/name").asText();
          store.put(type(), ResourceStore.key(namespace, name), next);
        }
      }
      return charged.size();
    });
  }

  private ObjectNode charge(StoredObject quota, ResourceType type, ObjectNode object) {
    JsonNode status = quota.json().path("status");
    Map<String, Amount> hard = PodResources.amounts(status.path("hard"));
    Set<String> counted = new TreeSet<>(hard.keySet());
    counted.removeIf(name -> !Usage.isOf(type, name));
    if (counted.isEmpty() || !Scopes.match(quota.json(), type, object)) {
      return quota.json();
    }
    String name = object.at("/metadata/name").asText();
    if (type.is(ResourceType.PODS)) {
      requireSpecified(quota.name(), counted, object, type, name);
    }
    Map<String, Amount> requested =
        new TreeMap<>(Usage.of(type, object, cluster.clock().instant()));
    requested.keySet().retainAll(hard.keySet());
    requested.values().removeIf(amount -> !amount.isPositive());
    Map<String, Amount> used = PodResources.amounts(status.path("used"));
    Set<String> exceeded =
        requested.keySet().stream()
            .filter(each -> isOver(sum(used, requested, each), hard.get(each)))
            .collect(Collectors.toSet());
    if (!exceeded.isEmpty()) {
      throw ApiException.forbidden(
          type.resource(),
          name,
          "exceeded quota: %s, requested: %s, used: %s, limited: %s"
              .formatted(
                  quota.name(),
                  list(requested, exceeded),
                  list(used, exceeded),
                  list(hard, exceeded)));
    }
    if (requested.isEmpty()) {
      return quota.json();
    }
    ObjectNode next = quota.json().deepCopy();
    ObjectNode written = next.withObjectProperty("status").withObjectProperty("used");
    requested.keySet().forEach(each -> written.put(each, sum(used, requested, each).toString()));
    return next;
  }

  private static boolean isOver(Amount wanted, @Nullable Amount hard) {
    return hard != null && wanted.compareTo(hard) > 0;
  }

  private static Amount sum(Map<String, Amount> one, Map<String, Amount> other, String name) {
    return one.getOrDefault(name, Amount.ZERO).plus(other.getOrDefault(name, Amount.ZERO));
  }

  private static String list(Map<String, Amount> amounts, Set<String> names) {
    return new TreeMap<>(amounts)
        .entrySet().stream()
            .filter(entry -> names.contains(entry.getKey()))
            .map(entry -> entry.getKey() + "=" + entry.getValue())
            .collect(Collectors.joining(","));
  }

  /** Where cpu or memory is limited, each container must name it, unless the pod does. */
  private static void requireSpecified(
      String quota, Set<String> counted, JsonNode pod, ResourceType type, String name) {
    JsonNode spec = pod.path("spec");
    if (!spec.at("/resources/requests").isEmpty() || !spec.at("/resources/limits").isEmpty()) {
      return;
    }
    List<String> missing = new ArrayList<>();
    for (String resource : counted) {
      if (TO_SPECIFY.contains(resource)) {
        String list = resource.startsWith("limits.") ? PodResources.LIMITS : PodResources.REQUESTS;
        String plain = resource.substring(resource.indexOf('.') + 1);
        String without =
            PodResources.containers(spec).stream()
                .filter(each -> !each.path("resources").path(list).has(plain))
                .map(each -> each.path("name").asText())
                .sorted()
                .collect(Collectors.joining(","));
        if (!without.isEmpty()) {
          missing.add(resource + " for: " + without);
        }
      }
    }
    if (!missing.isEmpty()) {
      throw ApiException.forbidden(
          type.resource(),
          name,
          "failed quota: " + quota + ": must specify " + String.join("; ", missing));
    }
  }

  /** Fills in the status of a quota that is about to be stored, from what there is. */
  public void fillStatus(String namespace, ObjectNode quota) {
    setLimits(quota);
    ObjectNode used = quota.withObjectProperty("status").putObject("used");
    for (ResourceType type : counted(quota)) {
      used.setAll(used(type, namespace, quota));
    }
  }

  private static void setLimits(ObjectNode quota) {
    ObjectNode hard = quota.withObjectProperty("status").putObject("hard");
    PodResources.amounts(quota.at("/spec/hard"))
        .forEach((name, amount) -> hard.put(name, amount.toString()));
  }

  private List<ResourceType> counted(JsonNode quota) {
    Map<String, ResourceType> types = new HashMap<>();
    for (ResourceType type : cluster.catalog().all()) {
      if (type.namespaced()
          && Json.names(quota.at("/spec/hard")).stream().anyMatch(name -> Usage.isOf(type, name))) {
        types.put(type.qualified(), type);
      }
    }
    return List.copyOf(types.values());
  }

  private ObjectNode used(ResourceType type, String namespace, JsonNode quota) {
    Instant now = cluster.clock().instant();
    Map<String, Amount> sums = new TreeMap<>();
    for (String name : Json.names(quota.at("/spec/hard"))) {
      if (Usage.isOf(type, name)) {
        sums.put(name, Amount.ZERO);
      }
    }
    for (StoredObject object : cluster.store(type).objects(namespace)) {
      if (Scopes.match(quota, type, object.json())) {
        Map<String, Amount> usage = Usage.of(type, object.json(), now);
        sums.replaceAll((name, sum) -> sum.plus(usage.getOrDefault(name, Amount.ZERO)));
      }
    }
    ObjectNode used = Json.object();
    sums.forEach((name, sum) -> used.put(name, sum.toString()));
    return used;
  }

  /** Computes the status of a quota again. */
  void recompute(ObjectRef ref) {
    StoredObject found = store().find(ref.key());
    if (found == null) {
      return;
    }
    update(ref, Quotas::setLimits);
    for (ResourceType type : counted(found.json())) {
      // no admission of this type is between its charge and its object meanwhile
      cluster
          .store(type)
          .locked(() -> {
            update(
                ref,
                quota ->
                    quota
                        .withObjectProperty("status")
                        .withObjectProperty("used")
                        .setAll(used(type, ref.namespace(), quota)));
            return ref;
          });
    }
  }

  private void update(ObjectRef ref, Consumer<ObjectNode> change) {
    ResourceStore store = store();
    store.locked(() -> {
      StoredObject old = store.find(ref.key());
      if (old != null) {
        ObjectNode next = old.json().deepCopy();
        change.accept(next);
        next.withObjectProperty("status")
            .withObjectProperty("used")
            .retain(Json.names(next.at("/spec/hard")));
        if (!next.equals(old.json())) {
          store.put(type(), ref.key(), next);
        }
      }
      return ref;
    });
  }
}

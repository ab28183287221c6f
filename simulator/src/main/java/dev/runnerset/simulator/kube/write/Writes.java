package dev.runnerset.simulator.kube.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.kind.NameRules;
import dev.runnerset.simulator.kube.kind.ResourceType;
import dev.runnerset.simulator.kube.status.ApiException;
import dev.runnerset.simulator.kube.status.Cause;
import dev.runnerset.simulator.kube.store.Cluster;
import dev.runnerset.simulator.kube.store.ObjectRef;
import dev.runnerset.simulator.kube.store.ResourceStore;
import dev.runnerset.simulator.kube.store.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Creates and updates, with everything a real server checks and fills in before it stores. */
public final class Writes {
  private static final Set<String> NOT_SPEC = Set.of("metadata", "status", "apiVersion", "kind");
  private static final Set<String> NOT_CONTENT = Set.of("metadata", "apiVersion", "kind");

  private final Cluster cluster;
  private final AdmissionRules admission;

  public Writes(Cluster cluster) {
    this.cluster = cluster;
    this.admission = new AdmissionRules(cluster);
  }

  /** Which part of an object an endpoint writes. */
  public enum Part {
    MAIN,
    STATUS,
    /** Only the server's own doing: a pod bound to a node, an owner reference taken off. */
    INTERNAL
  }

  /**
   * @param strict whether unknown fields are refused; else they are pruned
   */
  public record Options(boolean dryRun, boolean strict) {
    public static final Options NONE = new Options(false, false);
  }

  /**
   * @return as stored; with dryRun as it would be
   */
  public StoredObject create(ResourceType type, String namespace, JsonNode body, Options options) {
    ObjectNode object = Incoming.decode(type, body);
    ObjectNode metadata = object.withObjectProperty("metadata");
    Incoming.setNamespace(type, namespace, metadata);
    String name = nameFor(metadata);
    requireNamespace(type, namespace, name);
    if (metadata.has("resourceVersion") && !metadata.path("resourceVersion").asText().isEmpty()) {
      throw ApiException.badRequest("resourceVersion should not be set on objects to be created");
    }
    prune(type, object, options);
    type.rules().resetForCreate(object);
    type.rules().fillDefaults(object);
    Incoming.tidyMetadata(metadata);
    metadata.remove(List.of("deletionTimestamp", "deletionGracePeriodSeconds", "generation"));
    metadata.put("uid", cluster.identities().uid().get());
    metadata.put("creationTimestamp", cluster.timestamp());
    if (type.generations()) {
      metadata.put("generation", 1);
    }
    admission.fillIn(type, namespace, object);
    admission.checkReferences(type, namespace, name, object);
    refuseInvalid(type, name, object);
    String key = ResourceStore.key(namespace, name);
    ResourceStore store = cluster.store(type);
    return store.locked(() -> {
      if (store.find(key) != null) {
        throw ApiException.alreadyExists(type.resource(), name);
      }
      requireNamespace(type, namespace, name); // again: it may have begun to go meanwhile
      admission.admit(type, namespace, name, object, options.dryRun());
      return options.dryRun() ? new StoredObject(object, 0) : store.put(type, key, object);
    });
  }

  private String nameFor(ObjectNode metadata) {
    String prefix = metadata.path("generateName").asText();
    if (metadata.path("name").asText().isEmpty() && !prefix.isEmpty()) {
      String cut = prefix.substring(0, Math.min(prefix.length(), 58));
      metadata.put("name", cut + cluster.identities().suffix().get());
    }
    return metadata.path("name").asText();
  }

  private void requireNamespace(ResourceType type, String namespace, String name) {
    if (!type.namespaced()) {
      return;
    }
    StoredObject found = cluster.namespace(namespace);
    if (found == null) {
      throw ApiException.notFound(cluster.builtIn(ResourceType.NAMESPACES).resource(), namespace);
    }
    if (found.deleting()) {
      throw ApiException.terminating(type.resource(), name, namespace);
    }
  }

  /**
   * Reads, changes and stores one object in one step.
   *
   * @param change gets a copy of its own and returns what the caller wants stored
   * @return as stored; with dryRun as it would be
   */
  public StoredObject modify(
      ObjectRef ref, String name, Part part, UnaryOperator<ObjectNode> change, Options options) {
    ResourceType type = ref.type();
    ResourceStore store = cluster.store(type);
    return store.locked(() -> {
      StoredObject old = store.find(ref.key());
      if (old == null) {
        throw ApiException.notFound(type.resource(), name);
      }
      ObjectNode next = change.apply(old.json().deepCopy());
      Incoming.requireSame(type, old, next);
      prune(type, next, options);
      restrict(type, part, old.json(), next);
      type.rules().fillDefaults(next);
      Incoming.tidyMetadata(next.withObjectProperty("metadata"));
      if (next.equals(old.json())) {
        return old;
      }
      refuseInvalid(type, name, next);
      refuseChange(type, name, part, old.json(), next);
      countGeneration(type, old.json(), next);
      return settle(store, ref, next, options);
    });
  }

  private static StoredObject settle(
      ResourceStore store, ObjectRef ref, ObjectNode next, Options options) {
    if (options.dryRun()) {
      return new StoredObject(next, 0);
    }
    JsonNode metadata = next.path("metadata");
    boolean free =
        metadata.has("deletionTimestamp")
            && metadata.path("finalizers").isEmpty()
            && metadata.path("deletionGracePeriodSeconds").asLong() == 0
            && !ref.type().is(ResourceType.NAMESPACES);
    return free
        ? store.remove(ref.type(), ref.key(), next)
        : store.put(ref.type(), ref.key(), next);
  }

  /** Undoes what the endpoint does not write. */
  private static void restrict(ResourceType type, Part part, ObjectNode old, ObjectNode next) {
    switch (part) {
      case MAIN -> {
        if (type.has("status")) {
          setOrRemove(next, "status", old.path("status"));
        }
      }
      case STATUS -> {
        for (String field : Set.copyOf(names(old, next))) {
          if (!field.equals("status") && !field.equals("metadata")) {
            setOrRemove(next, field, old.path(field));
          }
        }
        if (type.custom()) {
          next.set("metadata", old.path("metadata").deepCopy());
        } else {
          ObjectNode metadata = next.withObjectProperty("metadata");
          setOrRemove(metadata, "ownerReferences", old.at("/metadata/ownerReferences"));
        }
      }
      case INTERNAL -> {}
    }
    Incoming.keepServerFields(old, next, part == Part.INTERNAL);
  }

  private static List<String> names(ObjectNode a, ObjectNode b) {
    List<String> names = new ArrayList<>();
    a.fieldNames().forEachRemaining(names::add);
    b.fieldNames().forEachRemaining(names::add);
    return names;
  }

  static void setOrRemove(ObjectNode object, String field, JsonNode value) {
    if (value.isMissingNode()) {
      object.remove(field);
    } else {
      object.set(field, value.deepCopy());
    }
  }

  private static void prune(ResourceType type, ObjectNode object, Options options) {
    List<String> unknown = type.rules().prune(object);
    if (options.strict() && !unknown.isEmpty()) {
      throw ApiException.badRequest(
          "%1$s in version \"%2$s\" cannot be handled as a %1$s: strict decoding error: %3$s"
              .formatted(
                  type.kind(),
                  type.version(),
                  unknown.stream()
                      .map(field -> "unknown field \"" + field + '"')
                      .collect(Collectors.joining(", "))));
    }
  }

  private static void refuseInvalid(ResourceType type, String name, ObjectNode object) {
    List<Cause> causes = new ArrayList<>();
    if (name.isEmpty()) {
      causes.add(Cause.required("metadata.name", "name or generateName is required"));
    } else {
      causes.addAll(NameRules.validate(type, object));
    }
    causes.addAll(type.rules().validate(object));
    if (!causes.isEmpty()) {
      throw ApiException.invalid(type.resource(), name, causes);
    }
  }

  private static void refuseChange(
      ResourceType type, String name, Part part, ObjectNode old, ObjectNode next) {
    List<Cause> causes = new ArrayList<>();
    if (part == Part.MAIN) {
      causes.addAll(type.rules().validateChange(old, next));
      if (old.path("metadata").has("deletionTimestamp")) {
        List<String> added = Json.texts(next.at("/metadata/finalizers"));
        added.removeAll(Json.texts(old.at("/metadata/finalizers")));
        if (!added.isEmpty()) {
          causes.add(
              Cause.forbidden(
                  "metadata.finalizers",
                  "no new finalizers can be added if the object is being deleted, found new"
                      + " finalizers "
                      + added));
        }
      }
    }
    if (!causes.isEmpty()) {
      throw ApiException.invalid(type.resource(), name, causes);
    }
  }

  private static void countGeneration(ResourceType type, ObjectNode old, ObjectNode next) {
    Set<String> ignored = type.has("status") ? NOT_SPEC : NOT_CONTENT;
    if (type.generations() && !Json.sameExcept(old, next, ignored)) {
      ObjectNode metadata = next.withObjectProperty("metadata");
      metadata.put("generation", metadata.path("generation").asInt() + 1);
    }
  }
}

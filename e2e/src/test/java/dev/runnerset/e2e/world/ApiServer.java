package dev.runnerset.e2e.world;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.kube.Preconditions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The objects of a cluster, as the API server keeps them: versions, generations, preconditions,
 * finalizers, patches, and a garbage collector that follows later. Stored objects never change;
 * each write stores another one.
 */
final class ApiServer {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  static final KubernetesSerialization JSON = new KubernetesSerialization(MAPPER, true);

  private static final String COLLECTOR = "the garbage collector";

  /** Hears of each change, in the order of the changes. */
  interface Watcher {
    void changed(HasMetadata before, HasMetadata after, long version);
  }

  /** Whether the admission policy is installed. */
  boolean shielded;

  /** Refuses pods that a quota does not admit. */
  Consumer<Pod> admission = pod -> {};

  private final Timeline time;
  private final Chance chance;
  private final Map<Class<?>, TreeMap<String, HasMetadata>> objects = new HashMap<>();
  private final Map<Object, ObjectNode> treeByStatus = new IdentityHashMap<>();
  private final List<Watcher> watchers = new ArrayList<>();
  private final Map<String, String> deletedBy = new HashMap<>();
  private long version = 100;
  private int uids;

  ApiServer(Timeline time, Chance chance) {
    this.time = time;
    this.chance = chance;
  }

  void watch(Watcher watcher) {
    watchers.add(watcher);
  }

  void unwatch(Watcher watcher) {
    watchers.remove(watcher);
  }

  /** Who asked for the deletion of the object of that uid; empty for nobody. */
  String deletedBy(String uid) {
    return deletedBy.getOrDefault(uid, "");
  }

  <T extends HasMetadata> List<T> all(Class<T> kind) {
    return objects.getOrDefault(kind, new TreeMap<>()).values().stream().map(kind::cast).toList();
  }

  <T extends HasMetadata> T get(Class<T> kind, String name) {
    var ofKind = objects.get(kind);
    return ofKind == null ? null : kind.cast(ofKind.get(name));
  }

  <T extends HasMetadata> T create(T wanted) {
    var meta = wanted.getMetadata();
    var ofKind = objects.computeIfAbsent(wanted.getClass(), kind -> new TreeMap<>());
    if (ofKind.containsKey(meta.getName())) {
      throw refused(409, "AlreadyExists", wanted.getKind() + " " + meta.getName() + " exists");
    }
    if (wanted instanceof Pod pod) {
      admission.accept(pod);
    }
    var stored = copy(wanted);
    stored.setMetadata(
        new ObjectMetaBuilder(meta)
            .withUid("uid-" + ++uids)
            .withGeneration(1L)
            .withCreationTimestamp(time.timestamp())
            .build());
    if (stored instanceof CustomResource<?, ?> custom) {
      custom.setStatus(null);
    }
    store(null, stored);
    for (var owner : meta.getOwnerReferences()) {
      if (!isThere(owner.getUid())) {
        collectSoon(owner.getUid());
      }
    }
    return stored;
  }

  private boolean isThere(String uid) {
    return objects.values().stream()
        .flatMap(ofKind -> ofKind.values().stream())
        .anyMatch(object -> object.getMetadata().getUid().equals(uid));
  }

  /** Merges into the status; {@code body} may demand a resourceVersion. */
  <T extends HasMetadata> T mergeStatus(Class<T> kind, String name, JsonNode body) {
    var before = present(kind, name);
    checkVersion(before, body);
    if (!body.has("status")) {
      return before;
    }
    var custom = (CustomResource<?, ?>) before;
    var merged = merged(treeOf(custom.getStatus()), body.get("status"));
    return withStatus(before, merged);
  }

  /** Tests, then adds and removes, as the listener's patches do. */
  <T extends HasMetadata> T jsonPatchStatus(Class<T> kind, String name, JsonNode operations) {
    var before = present(kind, name);
    var status = treeOf(((CustomResource<?, ?>) before).getStatus());
    for (var operation : operations) {
      var whole = operation.get("path").asText();
      var value = operation.get("value");
      if (whole.equals("/metadata/uid")) {
        if (!before.getMetadata().getUid().equals(value.asText())) {
          throw refused(422, "Invalid", "the test of " + whole + " failed");
        }
        continue;
      }
      var path = whole.substring("/status".length());
      if (operation.get("op").asText().equals("test")) {
        var there = status.at(path);
        if (there.isMissingNode() || there.asLong() != value.asLong()) {
          throw refused(422, "Invalid", "the test of " + path + " failed");
        }
      } else if (operation.get("op").asText().equals("remove")) {
        var _ = status.remove(path.substring(1));
      } else {
        status.set(path.substring(1), value);
      }
    }
    return withStatus(before, status);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private <T extends HasMetadata> T withStatus(T before, ObjectNode status) {
    var after = copy(before);
    var custom = (CustomResource) after;
    var type =
        switch (before) {
          case EphemeralRunner _ -> dev.runnerset.crds.EphemeralRunnerStatus.class;
          case EphemeralRunnerSet _ -> dev.runnerset.crds.EphemeralRunnerSetStatus.class;
          case AutoScalingRunnerSet _ -> dev.runnerset.crds.AutoScalingRunnerSetStatus.class;
          case AutoScalingListener _ -> dev.runnerset.crds.AutoScalingListenerStatus.class;
          default -> throw new IllegalStateException("no status of " + before.getKind());
        };
    custom.setStatus(read(status, type));
    treeByStatus.put(custom.getStatus(), status);
    return store(before, after);
  }

  /** A merge patch of metadata and spec. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  <T extends HasMetadata> T merge(Class<T> kind, String name, JsonNode body) {
    var before = present(kind, name);
    checkVersion(before, body);
    var after = copy(before);
    var generation = before.getMetadata().getGeneration();
    if (body.has("spec")) {
      var custom = (CustomResource) after;
      var type = custom.getSpec().getClass();
      custom.setSpec(read(merged(tree(custom.getSpec()), body.get("spec")), type));
      generation = generation + 1;
    }
    var meta = new ObjectMetaBuilder(before.getMetadata()).withGeneration(generation);
    if (body.has("metadata")) {
      var patch = body.get("metadata");
      patch
          .path("labels")
          .properties()
          .forEach(e -> {
            if (e.getValue().isNull()) {
              meta.removeFromLabels(e.getKey());
            } else {
              meta.addToLabels(e.getKey(), e.getValue().asText());
            }
          });
      patch
          .path("annotations")
          .properties()
          .forEach(e -> {
            if (e.getValue().isNull()) {
              meta.removeFromAnnotations(e.getKey());
            } else {
              meta.addToAnnotations(e.getKey(), e.getValue().asText());
            }
          });
    }
    after.setMetadata(meta.build());
    return store(before, after);
  }

  /** A user or a node changes an object in any way; nothing if there is none. */
  <T extends HasMetadata> void edit(Class<T> kind, String name, UnaryOperator<T> change) {
    var before = get(kind, name);
    if (before != null) {
      store(before, change.apply(copy(before)));
    }
  }

  /**
   * Deletes the object, or begins to if a finalizer or a kubelet holds it.
   *
   * @return false if there is none, or another one
   */
  boolean delete(Class<?> kind, String name, Preconditions wanted, String by) {
    var before = objects.getOrDefault(kind, new TreeMap<>()).get(name);
    if (before == null
        || (wanted.uid() != null && !wanted.uid().equals(before.getMetadata().getUid()))
        || (wanted.resourceVersion() != null
            && !wanted.resourceVersion().equals(before.getMetadata().getResourceVersion()))) {
      return false;
    }
    if (before instanceof Pod pod && isShielded(pod, by)) {
      return false;
    }
    deletedBy.putIfAbsent(before.getMetadata().getUid(), by);
    var isHeld = !before.getMetadata().getFinalizers().isEmpty() || before instanceof Pod;
    if (!isHeld) {
      remove(before);
    } else if (before.getMetadata().getDeletionTimestamp() == null) {
      var after = copy(before);
      after.getMetadata().setDeletionTimestamp(time.timestamp());
      store(before, after);
    }
    return true;
  }

  /** As the admission policy refuses, where it is installed. */
  private boolean isShielded(Pod pod, String by) {
    var phase = pod.getStatus() == null ? "" : pod.getStatus().getPhase();
    var labels = pod.getMetadata().getLabels();
    var annotations = pod.getMetadata().getAnnotations();
    boolean isOver = "Succeeded".equals(phase) || "Failed".equals(phase);
    boolean isForced = annotations != null && "true".equals(annotations.get(Labels.FORCE_DELETE));
    if (!shielded || isOver || isForced) {
      return false;
    }
    boolean mayHaveJob = "true".equals(labels.get(Labels.BUSY)) && !RunnerPod.isUnstarted(pod);
    return by.equals(COLLECTOR) || (by.equals("user") && mayHaveJob);
  }

  /** Takes a finalizer off the object of that uid; it goes if none is left. */
  void removeFinalizer(Class<? extends HasMetadata> kind, String name, String uid, String which) {
    var before = get(kind, name);
    if (before == null || !before.getMetadata().getUid().equals(uid)) {
      return;
    }
    var left = new ArrayList<>(before.getMetadata().getFinalizers());
    left.remove(which);
    if (left.isEmpty() && before.getMetadata().getDeletionTimestamp() != null) {
      remove(before);
    } else {
      var after = copy(before);
      after.getMetadata().setFinalizers(left);
      store(before, after);
    }
  }

  /** The object goes at once; what it owns follows. */
  void remove(HasMetadata object) {
    version++;
    objects.get(object.getClass()).remove(object.getMetadata().getName());
    List.copyOf(watchers).forEach(watcher -> watcher.changed(object, null, version));
    collectSoon(object.getMetadata().getUid());
  }

  private void collectSoon(String owner) {
    collect(owner, chance.millis(20, 3_000));
  }

  private void collect(String owner, long wait) {
    time.in(
        wait,
        () -> {
          boolean refused = false;
          for (var ofKind : List.copyOf(objects.values())) {
            for (var object : List.copyOf(ofKind.values())) {
              if (object.getMetadata().getOwnerReferences().stream()
                  .anyMatch(ref -> ref.getUid().equals(owner))) {
                refused |=
                    !delete(
                        object.getClass(),
                        object.getMetadata().getName(),
                        Preconditions.uid(object),
                        COLLECTOR);
              }
            }
          }
          if (refused) {
            collect(owner, Math.min(60_000, wait * 2));
          }
        });
  }

  // --- parts

  private <T extends HasMetadata> T present(Class<T> kind, String name) {
    var found = get(kind, name);
    if (found == null) {
      throw refused(404, "NotFound", kind.getSimpleName() + " " + name + " not found");
    }
    return found;
  }

  private static void checkVersion(HasMetadata before, JsonNode body) {
    var wanted = body.path("metadata").path("resourceVersion");
    if (wanted.isTextual() && !wanted.asText().equals(before.getMetadata().getResourceVersion())) {
      throw refused(409, "Conflict", before.getMetadata().getName() + " has changed");
    }
  }

  private <T extends HasMetadata> T store(HasMetadata before, T after) {
    version++;
    after.getMetadata().setResourceVersion(Long.toString(version));
    objects
        .computeIfAbsent(after.getClass(), kind -> new TreeMap<>())
        .put(after.getMetadata().getName(), after);
    List.copyOf(watchers).forEach(watcher -> watcher.changed(before, after, version));
    return after;
  }

  static KubernetesClientException refused(int code, String reason, String message) {
    var status =
        new io.fabric8.kubernetes.api.model.StatusBuilder()
            .withCode(code)
            .withReason(reason)
            .withMessage(message)
            .build();
    return new KubernetesClientException(code + " " + message, code, status);
  }

  /** The tree of a stored status, which may be changed. */
  private ObjectNode treeOf(Object status) {
    var known = treeByStatus.get(status);
    return known == null ? tree(status) : known.deepCopy();
  }

  private static ObjectNode tree(Object value) {
    return value == null
        ? com.fasterxml.jackson.databind.node.JsonNodeFactory.instance.objectNode()
        : MAPPER.valueToTree(value);
  }

  private static <T> T read(ObjectNode tree, Class<T> type) {
    try {
      return MAPPER.treeToValue(tree, type);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** RFC 7396; the target is changed. */
  private static ObjectNode merged(ObjectNode target, JsonNode patch) {
    patch
        .properties()
        .forEach(field -> {
          var value = field.getValue();
          if (value.isNull()) {
            target.remove(field.getKey());
          } else if (value.isObject()) {
            var there = target.get(field.getKey());
            target.set(
                field.getKey(),
                merged(
                    there instanceof ObjectNode object
                        ? object
                        : com.fasterxml.jackson.databind.node.JsonNodeFactory.instance.objectNode(),
                    value));
          } else {
            target.set(field.getKey(), value);
          }
        });
    return target;
  }

  /** A copy whose metadata may be changed; specs, statuses and the like are shared. */
  @SuppressWarnings("unchecked")
  static <T extends HasMetadata> T copy(T object) {
    var meta = meta(object);
    return (T)
        switch (object) {
          case EphemeralRunner from -> filled(new EphemeralRunner(), from, meta);
          case EphemeralRunnerSet from -> filled(new EphemeralRunnerSet(), from, meta);
          case AutoScalingRunnerSet from -> filled(new AutoScalingRunnerSet(), from, meta);
          case AutoScalingListener from -> filled(new AutoScalingListener(), from, meta);
          case Pod from -> {
            var pod = new Pod();
            pod.setMetadata(meta);
            pod.setSpec(from.getSpec());
            pod.setStatus(from.getStatus());
            yield pod;
          }
          case Secret from -> {
            var secret = new Secret();
            secret.setMetadata(meta);
            secret.setData(from.getData());
            yield secret;
          }
          case Role from -> {
            var role = new Role();
            role.setMetadata(meta);
            role.setRules(from.getRules());
            yield role;
          }
          case RoleBinding from -> {
            var binding = new RoleBinding();
            binding.setMetadata(meta);
            binding.setRoleRef(from.getRoleRef());
            binding.setSubjects(from.getSubjects());
            yield binding;
          }
          case PodDisruptionBudget from -> {
            var budget = new PodDisruptionBudget();
            budget.setMetadata(meta);
            budget.setSpec(from.getSpec());
            yield budget;
          }
          default -> throw new IllegalStateException("no copy of " + object.getKind());
        };
  }

  private static ObjectMeta meta(HasMetadata object) {
    var from = object.getMetadata();
    var meta = new ObjectMeta();
    meta.setNamespace(from.getNamespace());
    meta.setName(from.getName());
    meta.setUid(from.getUid());
    meta.setResourceVersion(from.getResourceVersion());
    meta.setGeneration(from.getGeneration());
    meta.setCreationTimestamp(from.getCreationTimestamp());
    meta.setDeletionTimestamp(from.getDeletionTimestamp());
    meta.setLabels(from.getLabels());
    meta.setAnnotations(from.getAnnotations());
    meta.setFinalizers(from.getFinalizers());
    meta.setOwnerReferences(from.getOwnerReferences());
    return meta;
  }

  private static <S, U, T extends CustomResource<S, U>> T filled(T empty, T from, ObjectMeta meta) {
    empty.setMetadata(meta);
    empty.setSpec(from.getSpec());
    empty.setStatus(from.getStatus());
    return empty;
  }
}

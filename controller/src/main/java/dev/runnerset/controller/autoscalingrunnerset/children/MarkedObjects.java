package dev.runnerset.controller.autoscalingrunnerset.children;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.controller.autoscalingrunnerset.children.ChildWriter.ForeignChildException;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.crds.Labels;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.MergePatch;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Creates, repairs and deletes objects of a set that bear no owner reference, since they must
 * outlive its other children. Labels and the uid of the set tell whose they are (DL5).
 */
final class MarkedObjects {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final KubeApi kube;

  MarkedObjects(KubeApi kube) {
    this.kube = kube;
  }

  /**
   * Deletes the object, unless it was not made for the set. Reads it from the API server, since
   * somebody may have made it his own after the cache saw it.
   */
  <T extends HasMetadata> void remove(Class<T> kind, T wanted) {
    var at = Resource.of(wanted);
    var there = kube.get(kind, at);
    if (there == null || !isOurs(there, wanted)) {
      return;
    }
    if (!kube.delete(at, Preconditions.unchanged(there)) && kube.get(kind, at) != null) {
      throw new KubernetesClientException(at + " changed while it was to be deleted");
    }
  }

  /**
   * Creates or repairs the object.
   *
   * @param known the object in the cache; null if it has none
   * @throws ForeignChildException if an object with that name was not made for the set
   */
  <T extends HasMetadata> void ensure(
      Class<T> kind, @Nullable T known, T wanted, WriteCache cache) {
    var there = known == null ? kube.createOrGet(kind, wanted) : known;
    requireOurs(there, wanted);
    if (known == null) {
      cache.created(there);
    }
    if (isAsWanted(there, wanted)) {
      return;
    }
    var diff = MergePatch.ofTrees(relevant(there, wanted), relevant(wanted, wanted));
    if (diff.isPresent()) {
      // INVARIANT: nobody made it his own since it was read
      diff.get()
          .withObject("metadata")
          .put("resourceVersion", there.getMetadata().getResourceVersion());
      cache.changed(there, kube.merge(kind, Resource.of(there), diff.get()));
    }
  }

  /**
   * Whether an object was made for the set: it has the uid of the set; or no uid but all labels, as
   * an earlier version wrote it.
   */
  private static boolean isOurs(HasMetadata there, HasMetadata wanted) {
    var uid = annotations(there).get(Labels.SET_UID);
    if (uid != null) {
      return uid.equals(annotations(wanted).get(Labels.SET_UID));
    }
    var labels = there.getMetadata().getLabels();
    return labels != null
        && labels.entrySet().containsAll(wanted.getMetadata().getLabels().entrySet());
  }

  static void requireOurs(HasMetadata there, HasMetadata wanted) {
    if (!isOurs(there, wanted)) {
      throw new ForeignChildException(
          "The "
              + there.getKind()
              + " "
              + there.getMetadata().getNamespace()
              + "/"
              + there.getMetadata().getName()
              + " was not made for this set, but has a name that the set needs: delete it, or create"
              + " the set under another name");
    }
  }

  private static Map<String, String> annotations(HasMetadata object) {
    var annotations = object.getMetadata().getAnnotations();
    return annotations == null ? Map.of() : annotations;
  }

  /** Whether the object surely needs no patch; says so of most, and costs much less than a diff. */
  private static boolean isAsWanted(HasMetadata there, HasMetadata wanted) {
    var labels = there.getMetadata().getLabels();
    return labels != null
        && labels.entrySet().containsAll(wanted.getMetadata().getLabels().entrySet())
        && annotations(there).entrySet().containsAll(annotations(wanted).entrySet())
        && Objects.equals(content(there), content(wanted));
  }

  /** Null where the object has none of it. */
  private static @Nullable List<?> content(HasMetadata object) {
    return switch (object) {
      case Role role -> role.getRules();
      case RoleBinding binding -> Arrays.asList(binding.getRoleRef(), binding.getSubjects());
      case PodDisruptionBudget budget -> Collections.singletonList(budget.getSpec());
      default -> throw new IllegalStateException("no content of " + object.getKind());
    };
  }

  /** What is compared: the wanted labels and annotations, and all rules, subjects, or the spec. */
  private static ObjectNode relevant(HasMetadata object, HasMetadata wanted) {
    var tree = JSON.<ObjectNode>valueToTree(object);
    var body = JsonNodeFactory.instance.objectNode();
    var metadata = body.putObject("metadata");
    keep(metadata.putObject("labels"), tree, "labels", wanted.getMetadata().getLabels().keySet());
    keep(metadata.putObject("annotations"), tree, "annotations", annotations(wanted).keySet());
    for (var field : new String[] {"rules", "subjects", "roleRef", "spec"}) {
      if (tree.has(field)) {
        body.set(field, tree.get(field));
      }
    }
    return body;
  }

  private static void keep(ObjectNode kept, ObjectNode tree, String field, Set<String> names) {
    tree.path("metadata").path(field).properties().stream()
        .filter(entry -> names.contains(entry.getKey()))
        .forEach(entry -> kept.set(entry.getKey(), entry.getValue()));
  }
}

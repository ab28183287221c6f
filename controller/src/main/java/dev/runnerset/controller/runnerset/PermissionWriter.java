package dev.runnerset.controller.runnerset;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.crd.AutoScalingRunnerSet;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Grants the listener what it needs in a set's namespace, repairs it, and takes it away again. */
final class PermissionWriter {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final KubeApi kube;
  private final String listenerNamespace;
  private final String listenerServiceAccount;

  PermissionWriter(KubeApi kube, String listenerNamespace, String listenerServiceAccount) {
    this.kube = kube;
    this.listenerNamespace = listenerNamespace;
    this.listenerServiceAccount = listenerServiceAccount;
  }

  /** Both objects as they must be; the arguments are what the cache has. */
  void grant(
      AutoScalingRunnerSet set,
      @Nullable Role role,
      @Nullable RoleBinding binding,
      ChildCache cache) {
    ensure(Role.class, role, ListenerPermissions.role(set), cache);
    var wanted = ListenerPermissions.binding(set, listenerNamespace, listenerServiceAccount);
    if (binding != null && !binding.getRoleRef().equals(wanted.getRoleRef())) {
      kube.delete(Resource.of(binding), Preconditions.uid(binding)); // a roleRef cannot be changed
      binding = null;
    }
    ensure(RoleBinding.class, binding, wanted, cache);
  }

  /** Takes both away. */
  void revoke(AutoScalingRunnerSet set) {
    var name = SetNames.permissions(set.getMetadata().getName());
    var namespace = set.getMetadata().getNamespace();
    var any = new Preconditions(null, null);
    kube.delete(Resource.of(RoleBinding.class, namespace, name), any);
    kube.delete(Resource.of(Role.class, namespace, name), any);
  }

  private <T extends HasMetadata> void ensure(
      Class<T> kind, @Nullable T known, T wanted, ChildCache cache) {
    if (known == null) {
      create(kind, wanted, cache);
      return;
    }
    var labels = wanted.getMetadata().getLabels().keySet();
    var before = relevant(known, labels);
    var after = relevant(wanted, labels);
    if (!before.equals(after)) {
      cache.changed(known, kube.merge(kind, Resource.of(known), after));
    }
  }

  private <T extends HasMetadata> void create(Class<T> kind, T wanted, ChildCache cache) {
    try {
      cache.created(kube.create(wanted));
    } catch (KubernetesClientException e) {
      if (e.getCode() != 409) {
        throw e;
      }
      // it is there, but not in the cache: without our labels, or too new
      var labels = wanted.getMetadata().getLabels().keySet();
      cache.created(kube.merge(kind, Resource.of(wanted), relevant(wanted, labels)));
    }
  }

  /** What must be so: these labels, and all of the rules or subjects. */
  private static ObjectNode relevant(HasMetadata object, Set<String> labels) {
    var tree = JSON.<ObjectNode>valueToTree(object);
    var body = JsonNodeFactory.instance.objectNode();
    var kept = body.putObject("metadata").putObject("labels");
    tree.path("metadata").path("labels").properties().stream()
        .filter(label -> labels.contains(label.getKey()))
        .forEach(label -> kept.set(label.getKey(), label.getValue()));
    for (var field : new String[] {"rules", "subjects", "roleRef"}) {
      if (tree.has(field)) {
        body.set(field, tree.get(field));
      }
    }
    return body;
  }
}

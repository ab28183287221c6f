package dev.runnerset.controller.autoscalingrunnerset.children;

import dev.runnerset.controller.autoscalingrunnerset.children.ChildWriter.ForeignChildException;
import dev.runnerset.controller.autoscalingrunnerset.planning.ListenerPermissions;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import org.jspecify.annotations.Nullable;

/** Creates, repairs and deletes the role of the listener in the namespace of a runner set. */
public final class PermissionWriter {
  private final KubeApi kube;
  private final MarkedObjects objects;
  private final String listenerNamespace;
  private final String listenerServiceAccount;

  public PermissionWriter(KubeApi kube, String listenerNamespace, String listenerServiceAccount) {
    this.kube = kube;
    this.objects = new MarkedObjects(kube);
    this.listenerNamespace = listenerNamespace;
    this.listenerServiceAccount = listenerServiceAccount;
  }

  /**
   * Creates or repairs role and role binding.
   *
   * @param role the object in the cache; null if it has none
   * @param binding the same
   * @throws ForeignChildException if an object with that name was not made for the set
   */
  public void grant(
      AutoScalingRunnerSet set,
      @Nullable Role role,
      @Nullable RoleBinding binding,
      WriteCache cache) {
    objects.ensure(Role.class, role, ListenerPermissions.role(set), cache);
    var wanted = ListenerPermissions.binding(set, listenerNamespace, listenerServiceAccount);
    if (binding != null && !binding.getRoleRef().equals(wanted.getRoleRef())) {
      MarkedObjects.requireOurs(binding, wanted);
      kube.delete(Resource.of(binding), Preconditions.unchanged(binding)); // no patch changes it
      binding = null;
    }
    objects.ensure(RoleBinding.class, binding, wanted, cache);
  }

  /**
   * Deletes role and role binding, unless they were not made for the set. Reads them from the API
   * server, since somebody may have made them his own after the cache saw them.
   *
   * @param set its metadata is enough
   */
  public void revoke(AutoScalingRunnerSet set) {
    var metadata = ListenerPermissions.metadata(set);
    objects.remove(RoleBinding.class, new RoleBindingBuilder().withMetadata(metadata).build());
    objects.remove(Role.class, new RoleBuilder().withMetadata(metadata).build());
  }
}

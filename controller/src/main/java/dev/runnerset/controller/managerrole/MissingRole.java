package dev.runnerset.controller.managerrole;

import dev.runnerset.crds.Labels;
import dev.runnerset.kube.Denial;
import dev.runnerset.kube.KubeApi;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What to change where the API server says that the controller lacks a permission. */
public final class MissingRole {
  private MissingRole() {}

  /**
   * A phrase that says what to change; blocks for the role bindings of the namespace.
   *
   * @param words what the API server said, among others or alone
   * @return empty if the words do not tell of a missing role
   */
  public static Optional<String> advice(KubeApi kube, String words) {
    return Denial.in(words)
        .flatMap(denial -> RoleAdvice.ofOtherAccount(denial, bindings(kube, denial.namespace())))
        .or(() -> RoleAdvice.of(words));
  }

  /** Those by which a controller works in the namespace; none where they cannot be read. */
  private static List<RoleBinding> bindings(KubeApi kube, String namespace) {
    try {
      return kube.list(
          RoleBinding.class,
          namespace,
          Map.of(Labels.PART_OF, Labels.PART_OF_VALUE, Labels.COMPONENT, Labels.COMPONENT_MANAGER));
    } catch (KubernetesClientException e) {
      return List.of();
    }
  }
}

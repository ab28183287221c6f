package dev.runnerset.controller.manifests;

import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.stream.Collectors;

/** Namespaces, service accounts and roles of the two programs, for {@code kubectl apply -f -}. */
public final class Manifests {
  private static final String RBAC = "rbac.authorization.k8s.io";

  private Manifests() {}

  /** The names of the objects. */
  public record Names(
      String controllerNamespace,
      String controllerServiceAccount,
      String listenerNamespace,
      String listenerServiceAccount) {
    /** The defaults of the programs' flags. */
    public static Names defaults() {
      return new Names(
          ControllerSettings.CONTROLLER_NAMESPACE,
          ControllerSettings.CONTROLLER_SERVICE_ACCOUNT,
          ControllerSettings.LISTENER_NAMESPACE,
          ControllerSettings.LISTENER_SERVICE_ACCOUNT);
    }
  }

  /** All objects, one YAML document each. */
  public static String yaml(Names names) {
    return objects(names).stream()
        .map(Serialization::asYaml)
        .map(text -> text.startsWith("---") ? text : "---\n" + text)
        .collect(Collectors.joining());
  }

  private static List<HasMetadata> objects(Names names) {
    return List.of(
        namespace(names.controllerNamespace()),
        namespace(names.listenerNamespace()),
        account(names.controllerNamespace(), names.controllerServiceAccount()),
        account(names.listenerNamespace(), names.listenerServiceAccount()),
        new ClusterRoleBuilder()
            .withMetadata(metadata("", names.controllerServiceAccount()))
            .withRules(Permissions.ofController())
            .build(),
        new ClusterRoleBindingBuilder()
            .withMetadata(metadata("", names.controllerServiceAccount()))
            .withNewRoleRef(RBAC, "ClusterRole", names.controllerServiceAccount())
            .addNewSubject()
            .withKind("ServiceAccount")
            .withName(names.controllerServiceAccount())
            .withNamespace(names.controllerNamespace())
            .endSubject()
            .build(),
        role(
            names.controllerNamespace(),
            "runnerset-controller-leases",
            Permissions.ofControllerAtHome()),
        controllerBinding(names, names.controllerNamespace(), "runnerset-controller-leases"),
        role(
            names.listenerNamespace(),
            "runnerset-controller-listeners",
            Permissions.ofControllerAtListener()),
        controllerBinding(names, names.listenerNamespace(), "runnerset-controller-listeners"),
        role(names.listenerNamespace(), "runnerset-listener-sessions", Permissions.ofListener()),
        binding(
            names.listenerNamespace(),
            "runnerset-listener-sessions",
            names.listenerNamespace(),
            names.listenerServiceAccount()));
  }

  private static HasMetadata namespace(String name) {
    return new NamespaceBuilder().withMetadata(metadata("", name)).build();
  }

  private static HasMetadata account(String namespace, String name) {
    return new ServiceAccountBuilder().withMetadata(metadata(namespace, name)).build();
  }

  private static HasMetadata role(String namespace, String name, List<PolicyRule> rules) {
    return new RoleBuilder().withMetadata(metadata(namespace, name)).withRules(rules).build();
  }

  private static HasMetadata controllerBinding(Names names, String namespace, String role) {
    return binding(namespace, role, names.controllerNamespace(), names.controllerServiceAccount());
  }

  private static HasMetadata binding(
      String namespace, String role, String accountNamespace, String account) {
    return new RoleBindingBuilder()
        .withMetadata(metadata(namespace, role))
        .withNewRoleRef(RBAC, "Role", role)
        .addNewSubject()
        .withKind("ServiceAccount")
        .withName(account)
        .withNamespace(accountNamespace)
        .endSubject()
        .build();
  }

  private static ObjectMeta metadata(String namespace, String name) {
    return new ObjectMetaBuilder()
        .withName(name)
        .withNamespace(namespace.isEmpty() ? null : namespace)
        .addToLabels(Labels.PART_OF, Labels.PART_OF_VALUE)
        .build();
  }
}

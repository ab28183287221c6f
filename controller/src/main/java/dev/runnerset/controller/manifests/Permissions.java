package dev.runnerset.controller.manifests;

import dev.runnerset.crds.ApiGroup;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.List;

/**
 * The permissions of each program: the verbs that its code uses. The controller also has what it
 * grants to the listener in a set's namespace, since Kubernetes lets nobody grant more than he has.
 */
final class Permissions {
  private static final String CORE = "";
  private static final String RBAC = "rbac.authorization.k8s.io";
  private static final String LEASES = "coordination.k8s.io";

  private Permissions() {}

  /** In every namespace. */
  static List<PolicyRule> ofController() {
    return List.of(
        rule(ApiGroup.NAME, List.of("autoscalingrunnersets"), "get", "list", "watch", "patch"),
        rule(
            ApiGroup.NAME,
            List.of("ephemeralrunnersets", "ephemeralrunners"),
            "get",
            "list",
            "watch",
            "create",
            "patch",
            "delete"),
        rule(
            ApiGroup.NAME,
            List.of(
                "autoscalingrunnersets/status",
                "ephemeralrunnersets/status",
                "ephemeralrunners/status"),
            "patch"),
        // needed only where a cluster checks who may block the deletion of an owner
        rule(
            ApiGroup.NAME,
            List.of("ephemeralrunnersets/finalizers", "ephemeralrunners/finalizers"),
            "update"),
        rule(CORE, List.of("pods"), "get", "list", "watch", "create", "patch", "delete"),
        rule(CORE, List.of("pods/log"), "get"),
        rule(CORE, List.of("secrets"), "get", "create", "patch", "delete"),
        rule(CORE, List.of("configmaps"), "get"),
        rule(CORE, List.of("events"), "create", "patch"),
        rule(
            RBAC,
            List.of("roles", "rolebindings"),
            "get",
            "list",
            "watch",
            "create",
            "patch",
            "delete"));
  }

  /** In its own namespace: the lease of the leader. */
  static List<PolicyRule> ofControllerAtHome() {
    return List.of(rule(LEASES, List.of("leases"), "get", "create", "update", "patch"));
  }

  /** In the listener's namespace: listener objects, and the leases that tell who lives. */
  static List<PolicyRule> ofControllerAtListener() {
    return List.of(
        rule(LEASES, List.of("leases"), "get", "list", "watch"),
        rule(
            ApiGroup.NAME,
            List.of("autoscalinglisteners"),
            "get",
            "list",
            "watch",
            "create",
            "patch",
            "delete"));
  }

  /** In its own namespace; the controller grants the rest in the namespace of each set. */
  static List<PolicyRule> ofListener() {
    return List.of(
        rule(ApiGroup.NAME, List.of("autoscalinglisteners"), "get", "list", "watch"),
        rule(ApiGroup.NAME, List.of("autoscalinglisteners/status"), "patch"),
        rule(LEASES, List.of("leases"), "get", "create", "update", "patch"));
  }

  private static PolicyRule rule(String group, List<String> resources, String... verbs) {
    return new PolicyRuleBuilder()
        .withApiGroups(group)
        .withResources(resources)
        .withVerbs(verbs)
        .build();
  }
}

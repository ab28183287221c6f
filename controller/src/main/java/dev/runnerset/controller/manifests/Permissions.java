package dev.runnerset.controller.manifests;

import dev.runnerset.crds.ApiGroup;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.List;

/**
 * What each program may do: the verbs that its code uses, and for the controller also what it
 * grants to the listener in a set's namespace, since nobody can grant what he has not. Pure.
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
        // only asked for where a cluster checks who may hold up an owner's deletion
        rule(
            ApiGroup.NAME,
            List.of("ephemeralrunnersets/finalizers", "ephemeralrunners/finalizers"),
            "update"),
        rule(CORE, List.of("pods"), "get", "list", "watch", "create", "patch", "delete"),
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

  /** In its own namespace: who leads. */
  static List<PolicyRule> ofControllerAtHome() {
    return List.of(rule(LEASES, List.of("leases"), "get", "create", "update", "patch"));
  }

  /** In the listener's namespace. */
  static List<PolicyRule> ofControllerAtListener() {
    return List.of(
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

  /** In its own namespace; for that of each set the controller grants the rest. */
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

package dev.runnerset.controller.autoscalingrunnerset.planning;

import dev.runnerset.crds.ApiGroup;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.ProxySettings;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** All that the listener may do in the namespace of a runner set (WR5). */
public final class ListenerPermissions {
  private static final String RBAC = "rbac.authorization.k8s.io";

  private ListenerPermissions() {}

  public static Role role(AutoScalingRunnerSet set) {
    return new RoleBuilder().withMetadata(metadata(set)).withRules(rules(set)).build();
  }

  public static RoleBinding binding(
      AutoScalingRunnerSet set, String listenerNamespace, String listenerServiceAccount) {
    return new RoleBindingBuilder()
        .withMetadata(metadata(set))
        .withNewRoleRef(RBAC, "Role", ChildNames.permissions(set.getMetadata().getName()))
        .addNewSubject()
        .withKind("ServiceAccount")
        .withName(listenerServiceAccount)
        .withNamespace(listenerNamespace)
        .endSubject()
        .build();
  }

  /**
   * Of both. Without owner reference: they must outlive the set's children, for the last marks
   * (DL5). Computed from the metadata of the set alone.
   */
  public static ObjectMeta metadata(AutoScalingRunnerSet set) {
    var name = ChildNames.permissions(set.getMetadata().getName());
    return ChildNames.metadata(set, name, ChildNames.listenerLabels(set));
  }

  private static List<PolicyRule> rules(AutoScalingRunnerSet set) {
    var rules = new ArrayList<PolicyRule>();
    rules.add(
        rule(
            ApiGroup.NAME,
            "ephemeralrunnersets/status",
            "patch",
            List.of(ChildNames.ephemeralRunnerSet(set))));
    rules.add(rule(ApiGroup.NAME, "ephemeralrunners/status", "patch", List.of()));
    rules.add(rule("", "secrets", "get", secrets(set)));
    var tls = set.getSpec().githubServerTLS();
    if (tls != null) {
      var name = tls.certificateFrom().configMapKeyRef().name();
      rules.add(rule("", "configmaps", "get", List.of(name)));
    }
    return rules;
  }

  private static List<String> secrets(AutoScalingRunnerSet set) {
    var proxy = set.getSpec().proxy();
    var ofProxies =
        proxy == null
            ? Stream.<String>empty()
            : Stream.of(proxy.http(), proxy.https())
                .filter(endpoint -> endpoint != null)
                .map(ProxySettings.Endpoint::credentialSecretRef)
                .filter(reference -> reference != null)
                .map(reference -> reference.name());
    return Stream.concat(Stream.of(set.getSpec().githubConfigSecret().name()), ofProxies)
        .distinct()
        .toList();
  }

  private static PolicyRule rule(String group, String resource, String verb, List<String> names) {
    return new PolicyRuleBuilder()
        .withApiGroups(group)
        .withResources(resource)
        .withVerbs(verb)
        .withResourceNames(names)
        .build();
  }
}

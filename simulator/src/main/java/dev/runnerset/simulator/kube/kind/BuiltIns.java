package dev.runnerset.simulator.kube.kind;

import dev.runnerset.simulator.kube.status.ResourceName;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The kinds every cluster has, as far as our programs and their tests need them. */
public final class BuiltIns {
  /** group, version, kind, plural, short names, scope (N or C), subresources, flags. */
  private static final String TABLE =
      """
      - v1 Namespace namespaces ns C status -
      - v1 Pod pods po N status,binding all
      - v1 Secret secrets - N - -
      - v1 ConfigMap configmaps cm N - -
      - v1 Event events ev N - -
      - v1 ServiceAccount serviceaccounts sa N - -
      - v1 Service services svc N status all
      - v1 Node nodes no C status -
      - v1 PersistentVolumeClaim persistentvolumeclaims pvc N status -
      - v1 ResourceQuota resourcequotas quota N status -
      - v1 LimitRange limitranges limits N - -
      coordination.k8s.io v1 Lease leases - N - -
      batch v1 Job jobs - N status generations,all
      policy v1 PodDisruptionBudget poddisruptionbudgets pdb N status generations
      rbac.authorization.k8s.io v1 Role roles - N - -
      rbac.authorization.k8s.io v1 RoleBinding rolebindings - N - -
      rbac.authorization.k8s.io v1 ClusterRole clusterroles - C - -
      rbac.authorization.k8s.io v1 ClusterRoleBinding clusterrolebindings - C - -
      scheduling.k8s.io v1 PriorityClass priorityclasses pc C - -
      admissionregistration.k8s.io v1 ValidatingAdmissionPolicy validatingadmissionpolicies - C status generations
      admissionregistration.k8s.io v1 ValidatingAdmissionPolicyBinding validatingadmissionpolicybindings - C - generations
      admissionregistration.k8s.io v1 ValidatingWebhookConfiguration validatingwebhookconfigurations - C - generations
      admissionregistration.k8s.io v1 MutatingWebhookConfiguration mutatingwebhookconfigurations - C - generations
      authorization.k8s.io v1 SelfSubjectRulesReview selfsubjectrulesreviews - C - -
      apiextensions.k8s.io v1 CustomResourceDefinition customresourcedefinitions crd,crds C status generations
      """;

  private BuiltIns() {}

  public static List<ResourceType> all(Clock clock) {
    List<ResourceType> types = new ArrayList<>();
    for (String line : TABLE.strip().lines().toList()) {
      types.add(type(line.split(" "), clock));
    }
    return types;
  }

  private static ResourceType type(String[] word, Clock clock) {
    String kind = word[2];
    Set<String> flags = Set.of(words(word[7]));
    return new ResourceType(
        new ResourceName(word[0].equals("-") ? "" : word[0], word[1], word[3], kind),
        new ResourceType.Names(
            kind.toLowerCase(Locale.ROOT),
            kind + "List",
            List.of(words(word[4])),
            flags.contains("all") ? List.of("all") : List.of()),
        new ResourceType.Traits(
            word[5].equals("N"), Set.of(words(word[6])), flags.contains("generations")),
        rules(kind, clock));
  }

  private static ObjectRules rules(String kind, Clock clock) {
    return switch (kind) {
      case "Pod" -> new PodRules();
      case "CustomResourceDefinition" -> new DefinitionRules(clock);
      default -> new PlainRules(kind);
    };
  }

  private static String[] words(String list) {
    return list.equals("-") ? new String[0] : list.split(",");
  }
}

package dev.runnerset.controller.managerrole;

import dev.runnerset.base.Installation;
import dev.runnerset.base.Pure;
import dev.runnerset.crds.Labels;
import dev.runnerset.kube.Denial;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The command that gives the controller a permission that it lacks. */
@Pure
public final class RoleAdvice {
  private static final Set<String> OF_SETS =
      Set.of(
          "secrets",
          "configmaps",
          "pods",
          "pods/log",
          "roles",
          "rolebindings",
          "poddisruptionbudgets",
          "jobs");

  /** Pods and roles are followed in all namespaces. */
  private static final Set<String> EVERYWHERE = Set.of("list", "watch");

  private RoleAdvice() {}

  /**
   * A phrase that says what to run.
   *
   * @param words what the API server said, among others or alone
   * @return empty if the words do not tell of a missing role
   */
  public static Optional<String> of(String words) {
    return Denial.in(words).map(RoleAdvice::of);
  }

  /**
   * What to change where a role binding gives the role of the controller to another account, as the
   * chart of a set does with a wrong {@code controllerServiceAccount}.
   *
   * @param bindings the role bindings of controllers in the namespace
   * @return a phrase with both names; empty where nothing is bound there, or this controller is
   */
  public static Optional<String> ofOtherAccount(Denial denial, List<RoleBinding> bindings) {
    var own = denial.account().map(RoleAdvice::name).orElse("");
    var bound =
        bindings.stream()
            .filter(binding -> binding.getSubjects() != null)
            .flatMap(binding -> binding.getSubjects().stream())
            .filter(subject -> "ServiceAccount".equals(subject.getKind()))
            .map(subject -> subject.getNamespace() + "/" + subject.getName())
            .toList();
    return own.isEmpty() || bound.isEmpty() || bound.contains(own)
        ? Optional.empty()
        : Optional.of(
            "this controller is "
                + own
                + ", and the role binding "
                + bindings.getFirst().getMetadata().getName()
                + " in the namespace "
                + denial.namespace()
                + " names "
                + bound.getFirst()
                + ": set controllerServiceAccount.namespace and controllerServiceAccount.name of the"
                + " set's chart to this controller");
  }

  private static String name(Denial.Account account) {
    return account.namespace() + "/" + account.name();
  }

  private static String of(Denial denial) {
    return denial.namespace().isEmpty() || !isOfSets(denial)
        ? "run " + Installation.UPGRADE
        : "let the Helm chart of the set bind the role (controllerServiceAccount), or run "
            + bind(denial)
            + " (where the controller was installed with --namespace, upgrade its Helm release"
            + " instead)";
  }

  /** With the labels by which the controller knows the binding, and keeps it while it is needed. */
  private static String bind(Denial denial) {
    return "kubectl create rolebinding runnerset-manager --namespace "
        + denial.namespace()
        + " --clusterrole=runnerset-manager "
        + denial
            .account()
            .map(account -> "--serviceaccount=" + account.namespace() + ":" + account.name())
            .orElse("--user='" + denial.user() + "'")
        + " --dry-run=client -o yaml | kubectl label --local -f - "
        + Labels.PART_OF
        + "="
        + Labels.PART_OF_VALUE
        + " "
        + Labels.COMPONENT
        + "="
        + Labels.COMPONENT_MANAGER
        + " -o yaml | kubectl apply -f -";
  }

  /** Whether the permission is one that is bound in each namespace of sets. */
  private static boolean isOfSets(Denial denial) {
    return OF_SETS.contains(denial.resource()) && !EVERYWHERE.contains(denial.verb());
  }
}

package dev.runnerset.controller.manifests;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.kube.Denial;
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
          "poddisruptionbudgets");

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

  private static String of(Denial denial) {
    var names = names(denial);
    return denial.namespace().isEmpty() || !isOfSets(denial)
        ? "run ./runnerset manifests"
            + names
            + " | kubectl apply -f - with the flags that the controller was installed with, or upgrade"
            + " its Helm release"
        : "run ./runnerset manifests --set-namespace "
            + denial.namespace()
            + names
            + " | kubectl apply -f -, or let the Helm chart of the set bind the role (where the"
            + " controller was installed with --namespace, use that flag instead)";
  }

  /** Whether the permission is one that is bound in each namespace of sets. */
  private static boolean isOfSets(Denial denial) {
    return OF_SETS.contains(denial.resource()) && !EVERYWHERE.contains(denial.verb());
  }

  /** The flags without which the role would be bound to another service account. */
  private static String names(Denial denial) {
    return denial
        .account()
        .map(account ->
            flag(
                    "--controller-namespace",
                    account.namespace(),
                    ControllerSettings.CONTROLLER_NAMESPACE)
                + flag(
                    "--controller-service-account",
                    account.name(),
                    ControllerSettings.CONTROLLER_SERVICE_ACCOUNT))
        .orElse("");
  }

  private static String flag(String name, String value, String otherwise) {
    return value.equals(otherwise) ? "" : " " + name + " " + value;
  }
}

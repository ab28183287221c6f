package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.managerrole.RoleAdvice;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerReason;
import dev.runnerset.kube.Denial;

/** What a user changes about a runner that does not start. */
@Pure
final class StartAdvice {
  private static final String MAKE_ROOM =
      "make room: more or larger nodes, or other requests, selectors and tolerations in"
          + " spec.template";
  private static final String CORRECT_THE_IMAGE =
      "correct the image in spec.template, or its pull secret";

  /** The policy of an installation for all namespaces, which knows one controller alone (SH3). */
  private static final String OF_OTHER_INSTALLATION =
      "ValidatingAdmissionPolicy 'runnerset-shield'";

  private StartAdvice() {}

  /**
   * One phrase, by the reason of the runner's condition and the words of the API server.
   *
   * @param runner the name of the runner that is looked at
   */
  static String of(String reason, String message, String runner) {
    return RoleAdvice.of(message).orElseGet(() -> ofReason(reason, message, runner));
  }

  private static String ofReason(String reason, String message, String runner) {
    return switch (Reason.of(RunnerReason.class, reason).orElse(RunnerReason.UNKNOWN)) {
      case POD_FORBIDDEN, WAITS_FOR_QUOTA -> podForbidden(message);
      case SECRET_FORBIDDEN -> secretForbidden(message);
      case POD_WEBHOOK_FAILED, SECRET_WEBHOOK_FAILED ->
          "repair the webhook that the message names, or exempt the namespace from it";
      case UNSCHEDULED -> MAKE_ROOM;
      case IMAGE_PULL_BACK_OFF -> CORRECT_THE_IMAGE;
      default -> ofKubernetes(reason, runner);
    };
  }

  /** By a word that the scheduler or the kubelet chose. */
  private static String ofKubernetes(String reason, String runner) {
    return switch (reason) {
      case "Unschedulable" -> MAKE_ROOM;
      case "ErrImagePull", "InvalidImageName", "ImageInspectError" -> CORRECT_THE_IMAGE;
      case "CreateContainerConfigError", "CreateContainerError", "RunContainerError" ->
          "correct what the container of spec.template refers to: config maps, secrets, mounts,"
              + " command";
      default -> "look at it with kubectl describe er,pod " + runner;
    };
  }

  /** The secret is ours, so that nothing in spec.template can be wrong with it. */
  private static String secretForbidden(String message) {
    return Denial.isOfQuota(message)
        ? "raise the quota for secrets, or lower spec.maxRunners"
        : "change the policy that refuses the secrets of runners: each has the name of its runner, and"
            + " the label "
            + Labels.PART_OF
            + "="
            + Labels.PART_OF_VALUE;
  }

  private static String podForbidden(String message) {
    if (Denial.isOfQuota(message)) {
      return "raise the quota, or lower spec.maxRunners";
    }
    if (message.contains(OF_OTHER_INSTALLATION)) {
      return "if this controller is for this namespace alone, leave the namespace to its own policy:"
          + " kubectl label namespace NAMESPACE "
          + Labels.INSTALLATION
          + "=true; else give the chart the service account of the controller"
          + " (serviceAccount.name)";
    }
    if (message.contains("service account")) {
      return "create the service account, or correct spec.template.spec.serviceAccountName";
    }
    if (message.contains("PriorityClass")) {
      return "create the priority class, or correct spec.template.spec.priorityClassName";
    }
    return "change the policy that refuses the pods, or correct spec.template";
  }
}

package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Installation;
import dev.runnerset.base.Pure;
import dev.runnerset.controller.managerrole.RoleAdvice;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerReason;

/** What a user changes about a runner that does not start. */
@Pure
public final class StartAdvice {
  private static final String MAKE_ROOM =
      "make room: more or larger nodes, or other requests, selectors and tolerations in"
          + " spec.template";
  private static final String CORRECT_THE_IMAGE =
      "correct the image in spec.template, or its pull secret";

  private static final String OWN_POLICY =
      "if this controller is for this namespace alone, leave the namespace to its own policy:"
          + " kubectl label namespace NAMESPACE "
          + Labels.INSTALLATION
          + "=true; else give the chart the service account of the controller"
          + " (serviceAccount.name)";

  /** The secret is ours, so that nothing in spec.template can be wrong with it. */
  private static final String ALLOW_SECRETS =
      "change the policy that refuses the secrets of runners: each has the name of its runner, and"
          + " the label "
          + Labels.PART_OF
          + "="
          + Labels.PART_OF_VALUE;

  private StartAdvice() {}

  /**
   * One phrase, by the reason of the runner's condition.
   *
   * @param words of the API server, which name the permission that is missing
   * @param runner the name of the runner that is looked at
   */
  public static String of(String reason, String words, String runner) {
    return switch (Reason.of(RunnerReason.class, reason).orElse(RunnerReason.UNKNOWN)) {
      case PERMISSION_MISSING -> RoleAdvice.of(words).orElse("run " + Installation.UPGRADE);
      case POD_OVER_QUOTA, WAITS_FOR_QUOTA -> "raise the quota, or lower spec.maxRunners";
      case SECRET_OVER_QUOTA -> "raise the quota for secrets, or lower spec.maxRunners";
      case POD_FORBIDDEN -> "change the policy that refuses the pods, or correct spec.template";
      case POD_FORBIDDEN_BY_OTHER_INSTALLATION -> OWN_POLICY;
      case SERVICE_ACCOUNT_MISSING ->
          "create the service account, or correct spec.template.spec.serviceAccountName";
      case PRIORITY_CLASS_MISSING ->
          "create the priority class, or correct spec.template.spec.priorityClassName";
      case SECRET_FORBIDDEN -> ALLOW_SECRETS;
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
}

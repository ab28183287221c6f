package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.manifests.RoleAdvice;
import dev.runnerset.crds.Labels;

/** What a user changes about a runner that does not start. */
@Pure
final class StartAdvice {
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
    return switch (reason) {
      case "PodForbidden" -> podForbidden(message);
      case "SecretForbidden" -> secretForbidden(message);
      case "PodWebhookFailed", "SecretWebhookFailed" ->
          "repair the webhook that the message names, or exempt the namespace from it";
      case "Unschedulable", "Unscheduled" ->
          "make room: more or larger nodes, or other requests, selectors and tolerations in"
              + " spec.template";
      case "ImagePullBackOff", "ErrImagePull", "InvalidImageName", "ImageInspectError" ->
          "correct the image in spec.template, or its pull secret";
      case "CreateContainerConfigError", "CreateContainerError", "RunContainerError" ->
          "correct what the container of spec.template refers to: config maps, secrets, mounts,"
              + " command";
      default -> "look at it with kubectl describe er,pod " + runner;
    };
  }

  /** The secret is ours, so that nothing in spec.template can be wrong with it. */
  private static String secretForbidden(String message) {
    return message.contains("exceeded quota")
        ? "raise the quota for secrets, or lower spec.maxRunners"
        : "change the policy that refuses the secrets of runners: each has the name of its runner, and"
            + " the label "
            + Labels.PART_OF
            + "="
            + Labels.PART_OF_VALUE;
  }

  private static String podForbidden(String message) {
    if (message.contains("exceeded quota")) {
      return "raise the quota, or lower spec.maxRunners";
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

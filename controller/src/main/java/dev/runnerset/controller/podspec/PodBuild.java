package dev.runnerset.controller.podspec;

import io.fabric8.kubernetes.api.model.Pod;

/** The result of making a pod from a template. */
public sealed interface PodBuild {
  /** The pod to create. */
  record Built(Pod pod) implements PodBuild {}

  /**
   * No runner can be made from the template.
   *
   * @param sentence says what to change; fit for the message of a condition
   */
  record Problem(String sentence) implements PodBuild {}
}

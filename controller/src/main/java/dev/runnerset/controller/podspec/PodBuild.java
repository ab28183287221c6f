package dev.runnerset.controller.podspec;

import io.fabric8.kubernetes.api.model.Pod;

/** What came of a template. */
public sealed interface PodBuild {
  /** The pod to create. */
  record Built(Pod pod) implements PodBuild {}

  /**
   * The template makes no runner.
   *
   * @param sentence says what to change; fit for a condition
   */
  record Problem(String sentence) implements PodBuild {}
}

package dev.runnerset.simulator.node;

/** What goes wrong with one pod. */
public sealed interface PodFault {
  /** Its image cannot be pulled: it stays Pending with ImagePullBackOff. */
  record ImagePullFails() implements PodFault {}

  /** The container ends at once, without having taken a job. */
  record ExitsEarly(int exitCode) implements PodFault {}

  /** The runner works as usual, and then the container ends with this code. */
  record ExitsWith(int exitCode) implements PodFault {}

  /** The runner works as usual, and then the container runs on until its pod is deleted. */
  record NeverEnds() implements PodFault {}
}

package dev.runnerset.simulator.node;

/** What goes wrong with one pod. */
public sealed interface PodFault {

  /** What keeps the container from starting: once it is lifted, the pod goes on by itself. */
  sealed interface Obstacle extends PodFault {}

  /** No node takes the pod: it is not bound. */
  record Unschedulable() implements Obstacle {}

  /** The image cannot be pulled: ErrImagePull, from the second try ImagePullBackOff. */
  record ImagePullFails() implements Obstacle {}

  /** What the container is made of is missing: CreateContainerConfigError. */
  record ConfigFails(String message) implements Obstacle {}

  /** The sandbox of the pod does not come up: ContainerCreating, and the kubelet says no more. */
  record StuckCreating() implements Obstacle {}

  /** An init container ends with this code, and the pod fails with it. */
  record InitContainerFails(int exitCode) implements PodFault {}

  /** The container runs, and its runner tries in vain to connect to the service. */
  record CannotConnect() implements PodFault {}

  /** The container ends at once, without having taken a job. */
  record ExitsEarly(int exitCode) implements PodFault {}

  /** The container is killed at once for its memory. */
  record RunsOutOfMemory() implements PodFault {}

  /** The runner works as usual, and then the container ends with this code. */
  record ExitsWith(int exitCode) implements PodFault {}

  /** The runner works as usual, and then the container runs on until its pod is deleted. */
  record NeverEnds() implements PodFault {}
}

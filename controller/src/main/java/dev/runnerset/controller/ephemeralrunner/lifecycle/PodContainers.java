package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView.Obstacle;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView.RunnerContainer;
import dev.runnerset.controller.podspec.RunnerCredentials;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.controller.podspec.SecretEnvironment;
import dev.runnerset.crds.Timestamps;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateRunning;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the containers of a runner's pod. Their messages are without credentials: a container
 * writes its own termination message, or the kubelet takes that from its log.
 */
record PodContainers(Pod pod, PodStatus status) {
  private static final Set<String> STARTING = Set.of("", "ContainerCreating", "PodInitializing");

  /** What keeps the runner's container, which has not started, from it; null for nothing. */
  @Nullable Obstacle obstacle() {
    var init = status.getInitContainerStatuses().stream().map(c -> blocked("init container", c));
    var others =
        status.getContainerStatuses().stream()
            .filter(c -> !RunnerPod.CONTAINER.equals(c.getName()))
            .map(c -> blocked("container", c));
    return Stream.concat(init, others).flatMap(Optional::stream).findFirst().orElse(null);
  }

  private Optional<Obstacle> blocked(String what, ContainerStatus container) {
    var state = Objects.requireNonNullElseGet(container.getState(), ContainerState::new);
    var waiting = state.getWaiting();
    if (waiting != null && !STARTING.contains(PodView.text(waiting.getReason()))) {
      return Optional.of(
          new Obstacle(
              what, container.getName(), waiting.getReason(), scrubbed(waiting.getMessage())));
    }
    var ended = state.getTerminated();
    if (ended == null || ended.getExitCode() == null || ended.getExitCode() == 0) {
      return Optional.empty();
    }
    var reason = PodView.text(ended.getReason());
    return Optional.of(
        new Obstacle(
            what,
            container.getName(),
            reason.isEmpty() ? "Error" : reason,
            "it exited with " + ended.getExitCode()));
  }

  /** Without the credentials that the pod shows; empty for an absent text. */
  String scrubbed(@Nullable String text) {
    return text == null ? "" : RunnerCredentials.scrubber(null, pod).scrub(text);
  }

  /** Whether an init container runs that must end first; of a runner that has not started. */
  boolean isInitializing() {
    var sideCars = sideCars();
    return status.getInitContainerStatuses().stream()
        .filter(c -> c.getState() != null && c.getState().getRunning() != null)
        .anyMatch(c -> !(sideCars.contains(c.getName()) && Boolean.TRUE.equals(c.getStarted())));
  }

  /** Init containers that run beside the others: the kubelet goes on once each has started. */
  private Set<String> sideCars() {
    return pod.getSpec() == null
        ? Set.of()
        : pod.getSpec().getInitContainers().stream()
            .filter(c -> "Always".equals(c.getRestartPolicy()))
            .map(Container::getName)
            .collect(Collectors.toSet());
  }

  /** Whether the network of the pod is there; of a runner that has not started. */
  boolean isSandboxReady() {
    return status.getConditions().stream()
        .anyMatch(
            c -> "PodReadyToStartContainers".equals(c.getType()) && "True".equals(c.getStatus()));
  }

  RunnerContainer runner() {
    var state =
        RunnerPod.containerStatus(pod)
            .map(ContainerStatus::getState)
            .orElseGet(ContainerState::new);
    if (state.getTerminated() != null) {
      boolean secret = SecretEnvironment.isIn(pod, RunnerPod.CONTAINER);
      return terminated(
          state.getTerminated(), secret ? "" : scrubbed(state.getTerminated().getMessage()));
    }
    ContainerStateRunning running = state.getRunning();
    if (running != null) {
      return new RunnerContainer.Running(Timestamps.parse(running.getStartedAt()));
    }
    var waiting = Optional.ofNullable(state.getWaiting()).orElseGet(ContainerStateWaiting::new);
    return new RunnerContainer.Waiting(
        PodView.text(waiting.getReason()), scrubbed(waiting.getMessage()));
  }

  private static RunnerContainer terminated(ContainerStateTerminated ended, String message) {
    return new RunnerContainer.Terminated(
        Objects.requireNonNullElse(ended.getExitCode(), -1),
        PodView.text(ended.getReason()),
        message,
        Timestamps.parse(ended.getStartedAt()),
        Timestamps.parse(ended.getFinishedAt()));
  }
}

package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView.Containers;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView.Obstacle;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView.RunnerContainer;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.controller.podspec.Scrubber;
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
final class PodContainers {
  private static final Set<String> STARTING = Set.of("", "ContainerCreating", "PodInitializing");

  private PodContainers() {}

  static Containers of(Pod pod, PodStatus status, Scrubber scrubber) {
    var runner = runner(pod, status, scrubber);
    boolean waits = runner instanceof RunnerContainer.Waiting;
    return new Containers(
        runner,
        waits
            ? obstacle(status, scrubber)
            : null, // once it runs, no other container keeps it from that
        waits && isInitializing(pod, status),
        waits && isSandboxReady(status));
  }

  private static @Nullable Obstacle obstacle(PodStatus status, Scrubber scrubber) {
    var init =
        status.getInitContainerStatuses().stream().map(c -> blocked("init container", c, scrubber));
    var others =
        status.getContainerStatuses().stream()
            .filter(c -> !RunnerPod.CONTAINER.equals(c.getName()))
            .map(c -> blocked("container", c, scrubber));
    return Stream.concat(init, others).flatMap(Optional::stream).findFirst().orElse(null);
  }

  private static Optional<Obstacle> blocked(
      String what, ContainerStatus container, Scrubber scrubber) {
    var state = Objects.requireNonNullElseGet(container.getState(), ContainerState::new);
    var waiting = state.getWaiting();
    if (waiting != null && !STARTING.contains(PodView.text(waiting.getReason()))) {
      return Optional.of(
          new Obstacle(
              what,
              container.getName(),
              waiting.getReason(),
              scrubber.scrub(waiting.getMessage())));
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

  private static boolean isInitializing(Pod pod, PodStatus status) {
    var sideCars = sideCars(pod);
    return status.getInitContainerStatuses().stream()
        .filter(c -> c.getState() != null && c.getState().getRunning() != null)
        .anyMatch(c -> !(sideCars.contains(c.getName()) && Boolean.TRUE.equals(c.getStarted())));
  }

  /** Init containers that run beside the others: the kubelet goes on once each has started. */
  private static Set<String> sideCars(Pod pod) {
    return pod.getSpec() == null
        ? Set.of()
        : pod.getSpec().getInitContainers().stream()
            .filter(c -> "Always".equals(c.getRestartPolicy()))
            .map(Container::getName)
            .collect(Collectors.toSet());
  }

  private static boolean isSandboxReady(PodStatus status) {
    return status.getConditions().stream()
        .anyMatch(
            c -> "PodReadyToStartContainers".equals(c.getType()) && "True".equals(c.getStatus()));
  }

  private static RunnerContainer runner(Pod pod, PodStatus status, Scrubber scrubber) {
    var state =
        status.getContainerStatuses().stream()
            .filter(c -> RunnerPod.CONTAINER.equals(c.getName()))
            .findFirst()
            .map(ContainerStatus::getState)
            .orElseGet(ContainerState::new);
    if (state.getTerminated() != null) {
      boolean secret = SecretEnvironment.isIn(pod, RunnerPod.CONTAINER);
      return terminated(
          state.getTerminated(), secret ? "" : scrubber.scrub(state.getTerminated().getMessage()));
    }
    ContainerStateRunning running = state.getRunning();
    if (running != null) {
      return new RunnerContainer.Running(Timestamps.parse(running.getStartedAt()));
    }
    var waiting = Optional.ofNullable(state.getWaiting()).orElseGet(ContainerStateWaiting::new);
    return new RunnerContainer.Waiting(
        PodView.text(waiting.getReason()), scrubber.scrub(waiting.getMessage()));
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

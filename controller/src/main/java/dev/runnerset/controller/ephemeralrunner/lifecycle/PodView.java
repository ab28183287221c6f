package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.crds.Timestamps;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateRunning;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A pod as far as it decides anything. Side-cars are not in it: they say nothing of the runner.
 *
 * @param ownerUid of its controlling owner, or empty
 * @param runnerId the registration it runs, from its annotation
 * @param reason why the pod as a whole failed, as {@code Evicted}, or empty
 * @param deleting whether its deletion was asked for
 */
public record PodView(
    String name,
    String ownerUid,
    @Nullable Long runnerId,
    String phase,
    String reason,
    String message,
    @Nullable Instant createdAt,
    @Nullable String nodeName,
    @Nullable Placement placement,
    boolean deleting,
    RunnerContainer runner) {

  /** The condition PodScheduled. */
  public record Placement(
      boolean scheduled, String reason, String message, @Nullable Instant since) {}

  /** The pod's own view. */
  public static PodView of(Pod pod) {
    var meta = pod.getMetadata();
    var status = pod.getStatus() == null ? new PodStatus() : pod.getStatus();
    return new PodView(
        meta.getName(),
        ownerUid(pod),
        runnerId(pod),
        text(status.getPhase()),
        text(status.getReason()),
        text(status.getMessage()),
        Timestamps.parse(meta.getCreationTimestamp()),
        pod.getSpec() == null ? null : pod.getSpec().getNodeName(),
        placement(status),
        meta.getDeletionTimestamp() != null,
        runnerState(status));
  }

  /** Whether the pod as a whole is over. */
  public boolean isOver() {
    return phase.equals("Failed") || phase.equals("Succeeded");
  }

  private static String ownerUid(Pod pod) {
    return pod.getMetadata().getOwnerReferences().stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .map(owner -> text(owner.getUid()))
        .findFirst()
        .orElse("");
  }

  private static @Nullable Long runnerId(Pod pod) {
    var annotations = pod.getMetadata().getAnnotations();
    var written = annotations == null ? null : annotations.get(RunnerPod.RUNNER_ID);
    try {
      return written == null ? null : Long.valueOf(written);
    } catch (NumberFormatException e) {
      return null; // somebody changed it: as good as absent
    }
  }

  private static @Nullable Placement placement(PodStatus status) {
    return status.getConditions().stream()
        .filter(c -> "PodScheduled".equals(c.getType()))
        .findFirst()
        .map(c ->
            new Placement(
                "True".equals(c.getStatus()),
                text(c.getReason()),
                text(c.getMessage()),
                Timestamps.parse(c.getLastTransitionTime())))
        .orElse(null);
  }

  private static RunnerContainer runnerState(PodStatus status) {
    var state =
        status.getContainerStatuses().stream()
            .filter(c -> RunnerPod.CONTAINER.equals(c.getName()))
            .findFirst()
            .map(ContainerStatus::getState)
            .orElseGet(ContainerState::new);
    if (state.getTerminated() != null) {
      return terminated(state.getTerminated());
    }
    ContainerStateRunning running = state.getRunning();
    if (running != null) {
      return new RunnerContainer.Running(Timestamps.parse(running.getStartedAt()));
    }
    var waiting = Optional.ofNullable(state.getWaiting()).orElseGet(ContainerStateWaiting::new);
    return new RunnerContainer.Waiting(text(waiting.getReason()), text(waiting.getMessage()));
  }

  private static RunnerContainer terminated(ContainerStateTerminated ended) {
    return new RunnerContainer.Terminated(
        Objects.requireNonNullElse(ended.getExitCode(), -1),
        text(ended.getReason()),
        text(ended.getMessage()),
        Timestamps.parse(ended.getStartedAt()),
        Timestamps.parse(ended.getFinishedAt()));
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }
}

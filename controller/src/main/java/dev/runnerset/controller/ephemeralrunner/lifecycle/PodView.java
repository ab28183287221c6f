package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.controller.ownership.Meta;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.crds.Timestamps;
import dev.runnerset.crds.condition.RunnerReason;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What decisions need of a runner's pod. Of other containers than the runner's there is only what
 * keeps the runner's from starting.
 *
 * @param ownerUid the uid of its controlling owner, or empty
 * @param runnerId the id of the registration that it runs, from its annotation; null if nobody
 *     wrote it or somebody changed it
 * @param shield its labels of the shield
 * @param nodeName the node it is bound to; null before
 * @param terminating whether somebody asked to delete the pod
 * @param phase as the API spells it
 * @param reason why the pod as a whole failed, as {@code Evicted}, or empty
 * @param disruption who of the cluster asked for its end, as {@code EvictionByEvictionAPI}, or
 *     empty: the reason of its condition DisruptionTarget
 * @param placement the condition PodScheduled; null where the pod has none
 * @param runner the container named runner
 * @param obstacle another container that keeps it from starting; null for none
 * @param initializing whether an init container runs
 * @param sandboxReady whether volumes and network are there, as far as the kubelet says
 */
public record PodView(
    String name,
    String ownerUid,
    @Nullable Long runnerId,
    ShieldMarks shield,
    @Nullable Instant createdAt,
    @Nullable String nodeName,
    boolean terminating,
    String phase,
    String reason,
    String message,
    String disruption,
    @Nullable Placement placement,
    RunnerContainer runner,
    @Nullable Obstacle obstacle,
    boolean initializing,
    boolean sandboxReady) {

  /** The condition PodScheduled. */
  public record Placement(
      boolean scheduled, String reason, String message, @Nullable Instant since) {}

  /**
   * A container that cannot start, or failed, before the runner's container started.
   *
   * @param what as {@code init container}
   * @param reason the kubelet's word
   */
  public record Obstacle(String what, String container, String reason, String message) {
    String sentence() {
      return what + " " + container + (message.isEmpty() ? "" : ": " + message);
    }
  }

  /** The state of the container named runner. */
  public sealed interface RunnerContainer {
    /** Not started; reason and message are the kubelet's, or empty. */
    record Waiting(String reason, String message) implements RunnerContainer {}

    /** Started. */
    record Running(@Nullable Instant startedAt) implements RunnerContainer {}

    /** Ended. */
    record Terminated(
        int exitCode,
        String reason,
        String message,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt)
        implements RunnerContainer {}
  }

  /** The view of a pod; its messages are without the credentials that the pod shows (RN17). */
  public static PodView of(Pod pod) {
    var meta = pod.getMetadata();
    var status = pod.getStatus() == null ? new PodStatus() : pod.getStatus();
    var containers = new PodContainers(pod, status);
    var runner = containers.runner();
    boolean starting = runner instanceof RunnerContainer.Waiting;
    return new PodView(
        meta.getName(),
        ownerUid(pod),
        runnerId(pod),
        ShieldMarks.of(pod),
        Timestamps.parse(meta.getCreationTimestamp()),
        pod.getSpec() == null ? null : pod.getSpec().getNodeName(),
        meta.getDeletionTimestamp() != null,
        text(status.getPhase()),
        text(status.getReason()),
        containers.scrubbed(status.getMessage()),
        disruption(status),
        placement(status),
        runner,
        starting ? containers.obstacle() : null,
        starting && containers.isInitializing(),
        starting && containers.isSandboxReady());
  }

  private static String disruption(PodStatus status) {
    return status.getConditions().stream()
        .filter(c -> "DisruptionTarget".equals(c.getType()) && "True".equals(c.getStatus()))
        .map(c -> text(c.getReason()))
        .findFirst()
        .orElse("");
  }

  /** Whether the pod as a whole has ended. */
  public boolean isOver() {
    return isSucceeded() || phase.equals("Failed");
  }

  /** Whether the kubelet ended it at its {@code activeDeadlineSeconds} (RN22). */
  boolean isPastDeadline() {
    return reason.equals(RunnerReason.DEADLINE_EXCEEDED.word());
  }

  /** Whether it has ended, and its status does not say how the runner's container ended. */
  boolean isOverUnseen() {
    return isOver() && runner instanceof RunnerContainer.Waiting;
  }

  /**
   * Whether somebody takes the pod away: by a deletion, or as the cluster says for a disruption.
   */
  boolean isTakenAway() {
    return terminating || !disruption.isEmpty();
  }

  /** Whether each of its containers ended with exit code 0. */
  boolean isSucceeded() {
    return phase.equals("Succeeded");
  }

  /**
   * A sentence that says that the pod runs another registration than {@code known}: nobody can tell
   * what it runs, so the runner is not used. Null where both are the same or one is not known.
   */
  public @Nullable String registrationMismatch(@Nullable Long known) {
    return runnerId == null || known == null || runnerId.equals(known)
        ? null
        : "the pod runs registration " + runnerId + ", but the runner was registered as " + known;
  }

  private static String ownerUid(Pod pod) {
    return pod.getMetadata().getOwnerReferences().stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .map(owner -> text(owner.getUid()))
        .findFirst()
        .orElse("");
  }

  private static @Nullable Long runnerId(Pod pod) {
    var written = Meta.annotations(pod).get(RunnerPod.RUNNER_ID);
    try {
      return written == null ? null : Long.valueOf(written);
    } catch (NumberFormatException e) {
      return null; // somebody changed it: treated as absent
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

  static String text(@Nullable String value) {
    return value == null ? "" : value;
  }
}

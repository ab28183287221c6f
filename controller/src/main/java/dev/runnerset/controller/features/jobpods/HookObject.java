package dev.runnerset.controller.features.jobpods;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.Timestamps;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A pod or a batch job with the label of the container hooks, without what nothing here needs.
 *
 * @param runner what the label says; anybody can write it
 * @param going whether it is being deleted
 * @param over whether it is a pod whose containers have ended
 * @param secrets the names in its spec that the hooks of the runner give to secrets
 * @param ends the pod with its name and the ends of its containers alone; null for a batch job
 */
@Pure
record HookObject(
    Class<? extends HasMetadata> kind,
    RunnerKey runner,
    String name,
    String uid,
    Instant created,
    boolean going,
    boolean over,
    JobPodMarks marks,
    Set<String> secrets,
    @Nullable Pod ends) {
  private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

  static HookObject of(HasMetadata object) {
    var meta = object.getMetadata();
    var runner = RunnerKey.ofLabel(object);
    var pod = object instanceof Pod is ? is : null;
    return new HookObject(
        object.getClass(),
        runner,
        meta.getName(),
        meta.getUid(),
        Objects.requireNonNullElse(
            Timestamps.parse(meta.getCreationTimestamp()), Instant.MIN), // older than any runner
        object.isMarkedForDeletion(),
        pod != null && pod.getStatus() != null && ENDED.contains(pod.getStatus().getPhase()),
        JobPodMarks.of(object),
        HookSecrets.of(
            pod != null
                ? pod.getSpec()
                : object instanceof Job job && job.getSpec() != null
                    ? job.getSpec().getTemplate().getSpec()
                    : null,
            runner.name()),
        pod == null ? null : ends(pod));
  }

  String namespace() {
    return runner.namespace();
  }

  /**
   * The runner that our mark names, where nothing else is known of it; empty without a mark. The
   * mark is written only onto what is younger than its runner.
   */
  Optional<HookRunner> markedRunner() {
    return Optional.ofNullable(marks.runnerUid())
        .map(uid -> new HookRunner(uid, marks.set(), Instant.MIN, HookRunner.State.GONE));
  }

  private static Pod ends(Pod pod) {
    var status = Objects.requireNonNullElseGet(pod.getStatus(), PodStatus::new);
    return new PodBuilder()
        .withNewMetadata()
        .withName(pod.getMetadata().getName())
        .endMetadata()
        .withNewStatus()
        .withPhase(status.getPhase())
        .withReason(status.getReason())
        .withMessage(status.getMessage())
        .withContainerStatuses(ends(status.getContainerStatuses()))
        .endStatus()
        .build();
  }

  private static List<ContainerStatus> ends(List<ContainerStatus> all) {
    return all.stream()
        .map(each ->
            new ContainerStatusBuilder()
                .withName(each.getName())
                .withState(each.getState())
                .build())
        .toList();
  }
}

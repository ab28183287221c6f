package dev.runnerset.controller.features.leftovers;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.ownership.Meta;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A pod that a set's runner had, as it names itself.
 *
 * @param set the set of the runner
 * @param runnerId the registration that the pod runs
 * @param seen its version as the cache has it
 */
@Pure
record OrphanPod(
    String namespace,
    String name,
    String uid,
    String seen,
    String set,
    long runnerId,
    State state) {
  /** Whether the pod can have a job. */
  enum State {
    /** The container of the runner has not started. */
    UNSTARTED,
    /** Nobody but the service knows. */
    MAY_HAVE_A_JOB,
    /** All containers have ended. */
    OVER
  }

  private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

  /**
   * What the pod names; empty if it is no pod of a runner of a set, belongs to something else than
   * a runner, or is being deleted.
   */
  static Optional<OrphanPod> of(Pod pod) {
    var meta = pod.getMetadata();
    var set = Meta.labels(pod).get(Labels.SET);
    var id = Meta.annotations(pod);
    if (!isMadeForRunners(pod)
        || set == null
        || meta.getDeletionTimestamp() != null
        || !meta.getName().equals(id.get(RunnerPod.RUNNER_NAME))
        || !Objects.requireNonNullElse(id.get(RunnerPod.RUNNER_ID), "").matches("[1-9]\\d{0,17}")) {
      return Optional.empty();
    }
    return Optional.of(
        new OrphanPod(
            meta.getNamespace(),
            meta.getName(),
            meta.getUid(),
            meta.getResourceVersion(),
            set,
            Long.parseLong(id.get(RunnerPod.RUNNER_ID)),
            state(pod)));
  }

  private static State state(Pod pod) {
    if (RunnerPod.isUnstarted(pod)) {
      return State.UNSTARTED;
    }
    var phase = pod.getStatus().getPhase();
    return ENDED.contains(phase) ? State.OVER : State.MAY_HAVE_A_JOB;
  }

  /** Whether the object bears our labels, and nothing but a runner owns it. */
  static boolean isMadeForRunners(HasMetadata object) {
    return Labels.PART_OF_VALUE.equals(Meta.labels(object).get(Labels.PART_OF))
        && Labels.COMPONENT_RUNNER.equals(Meta.labels(object).get(Labels.COMPONENT))
        && object.getMetadata().getOwnerReferences().stream()
            .allMatch(owner -> HasMetadata.getKind(EphemeralRunner.class).equals(owner.getKind()));
  }
}

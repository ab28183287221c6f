package dev.runnerset.controller.features.leftovers;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.ownership.Meta;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A pod that a set's runner had, as it names itself.
 *
 * @param set the set of the runner
 * @param runner the name of the runner, which is the pod's own unless a webhook changed that
 * @param runnerUid empty if the pod has no owner
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
    String runner,
    String runnerUid,
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
    var runner = id.get(RunnerPod.RUNNER_NAME);
    var owner =
        meta.getOwnerReferences().stream().filter(o -> o.getName().equals(runner)).findAny();
    if (!isMadeForRunners(pod)
        || set == null
        || runner == null
        || meta.getDeletionTimestamp() != null
        || (!meta.getName().equals(runner) && owner.isEmpty())
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
            runner,
            owner.map(OwnerReference::getUid).orElse(""),
            Long.parseLong(id.get(RunnerPod.RUNNER_ID)),
            state(pod)));
  }

  /**
   * Whether the pod stands without its runner. A runner uses only the pod of its own name, so
   * another one is left when that runner has ended.
   *
   * @param found the runner with the name that the pod names
   */
  boolean isWithout(Optional<EphemeralRunner> found) {
    return found
        .filter(there ->
            name.equals(runner)
                || (runnerUid.equals(there.getMetadata().getUid())
                    && !there.statusOrNone().isTerminal()))
        .isEmpty();
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

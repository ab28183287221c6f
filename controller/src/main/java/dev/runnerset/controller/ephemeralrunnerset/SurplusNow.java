package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.crds.EphemeralRunnerSet;
import java.util.Objects;

/**
 * How many runners of a plan are still too many, read before each round of its pass (SD7): the
 * target may have risen since, another revision may be wanted, and the set may be gone.
 */
final class SurplusNow {
  private final SetCaches caches;

  SurplusNow(SetCaches caches) {
    this.caches = caches;
  }

  /**
   * The number by the target of this moment.
   *
   * @param planned the set as it was when the plan was made
   * @param replicas its target then
   */
  int of(EphemeralRunnerSet planned, RemovalPlan plan, int replicas) {
    var meta = planned.getMetadata();
    var found = caches.set(meta.getNamespace(), meta.getName());
    if (found.isEmpty() || !meta.getUid().equals(found.get().getMetadata().getUid())) {
      return 0; // its owner's end removes its runners
    }
    if (plan.reason() == RemovalReason.EXIT_OVERDUE) {
      return plan.wanted(); // they count as nothing, whatever the target is
    }
    var spec = found.get().getSpec();
    if (plan.reason() == RemovalReason.FORMER_SCALE_SET) {
      boolean same = Objects.equals(planned.getSpec().runnerScaleSetId(), spec.runnerScaleSetId());
      return same ? plan.wanted() : 0; // they count as nothing, too
    }
    if (!planned.getSpec().revision().equals(spec.revision()) || spec.replicas() == null) {
      return 0;
    }
    return plan.wanted() - Math.max(0, spec.replicas() - replicas);
  }
}

package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.removal.OverdueExit;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalPlanner;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import java.time.Clock;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What still holds of a removal plan while its pass goes on (SD7). Since the plan was made, the
 * target may have risen, another revision may be wanted, the set may be gone, and a candidate may
 * have got a job, ended, been refused or been asked for by another pass.
 */
final class RemovalRecheck implements ScaleDownPass.Recheck {
  private final EphemeralRunnerSet planned;
  private final RemovalReason reason;
  private final RunnerGathering gathering;
  private final SetCaches caches;
  private final Clock clock;
  private final IntSupplier allowed;

  /**
   * The check of a plan.
   *
   * @param planned the set as it was when the plan was made
   * @param allowed how many runners of the plan may be removed in all, by the state of the moment
   */
  RemovalRecheck(
      EphemeralRunnerSet planned,
      RemovalReason reason,
      RunnerGathering gathering,
      SetCaches caches,
      Clock clock,
      IntSupplier allowed) {
    this.planned = planned;
    this.reason = reason;
    this.gathering = gathering;
    this.caches = caches;
    this.clock = clock;
    this.allowed = allowed;
  }

  /** The check of a plan by the target of each moment. */
  static RemovalRecheck byTarget(
      EphemeralRunnerSet planned,
      RemovalPlan plan,
      RunnerGathering gathering,
      SetCaches caches,
      Clock clock) {
    var meta = planned.getMetadata();
    return new RemovalRecheck(
        planned,
        plan.reason(),
        gathering,
        caches,
        clock,
        () -> allowed(planned, plan, caches.set(meta.getNamespace(), meta.getName())));
  }

  /**
   * How many runners of a plan may be removed in all by the target of this moment.
   *
   * @param planned the set as it was when the plan was made
   * @param found the set of that name as it is now
   */
  static int allowed(
      EphemeralRunnerSet planned, RemovalPlan plan, Optional<EphemeralRunnerSet> found) {
    var uid = planned.getMetadata().getUid();
    if (found.isEmpty() || !uid.equals(found.get().getMetadata().getUid())) {
      return 0; // the runners of a set that is gone are removed with it
    }
    if (plan.reason() == RemovalReason.EXIT_OVERDUE || plan.reason() == RemovalReason.CORDONED) {
      return plan.wanted(); // whatever the target is: they count as nothing, or are replaced
    }
    var before = planned.getSpec();
    var spec = found.get().getSpec();
    if (plan.reason() == RemovalReason.FORMER_SCALE_SET) {
      // these runners count as nothing, too
      return Objects.equals(before.runnerScaleSetId(), spec.runnerScaleSetId()) ? plan.wanted() : 0;
    }
    if (!before.revision().equals(spec.revision()) || spec.replicas() == null) {
      return 0;
    }
    int target = before.replicas() == null ? 0 : before.replicas();
    return plan.wanted() - Math.max(0, spec.replicas() - target);
  }

  @Override
  public int allowed() {
    return allowed.getAsInt();
  }

  @Override
  public @Nullable EphemeralRunner candidate(RunnerView chosen) {
    var spec = planned.getSpec();
    return caches
        .runner(planned.getMetadata().getNamespace(), chosen.name())
        .filter(runner -> chosen.uid().equals(runner.getMetadata().getUid()))
        .filter(runner ->
            RemovalPlanner.isCandidate(
                gathering.view(planned, runner, caches.memory(planned)),
                reason,
                OverdueExit.weighed(spec.replicas(), spec.demandMessageId()),
                clock.instant()))
        .orElse(null);
  }
}

package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.gc.AgeSweep;
import dev.runnerset.controller.gc.CollectionState;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One pass over an EphemeralRunnerSet: gathers, plans, applies. The reconciler runs it in the
 * cluster, and simulations run it in virtual time.
 */
final class ReplicasPass {
  /** Carries out the parts of a plan. */
  interface Actions {
    /** Deletes the resources of ended runners; blocks for it. */
    void deleteFinished(
        List<RunnerView> finished, Map<String, EphemeralRunner> runnerByUid, SetMemory memory);

    /** Begins removals, as many as may be under way; the end of each triggers a reconcile. */
    void remove(
        EphemeralRunnerSet set,
        RemovalPlan plan,
        Map<String, EphemeralRunner> runnerByUid,
        SetMemory memory);

    /** A sweep of age collection has ended. */
    void sweepEnded(EphemeralRunnerSet set, AgeSweep sweep, SetMemory memory);

    /** Makes runners; blocks for it. A refusal becomes a backoff, not an exception. */
    void create(EphemeralRunnerSet set, Provisioning wanted, SetMemory memory);
  }

  /** What a pass saw and decided. */
  record Result(RunnerGathering.Observed observed, ReplicasInput input, ReplicasPlan plan) {}

  private final RunnerGathering gathering;
  private final Actions actions;

  ReplicasPass(RunnerGathering gathering, Actions actions) {
    this.gathering = gathering;
    this.actions = actions;
  }

  /**
   * Runs one pass.
   *
   * @param labelled all runners with the label of the set, its own or not
   * @param delivered as {@link ReplicasInput.Removal} says; read before {@code labelled}
   */
  Result run(
      EphemeralRunnerSet set,
      Set<EphemeralRunner> labelled,
      long delivered,
      SetMemory memory,
      Instant now) {
    var before = set.statusOrNone();
    memory
        .creation()
        .restore(
            before.failures(),
            StatusConditions.isTrue(before.conditions(), ConditionType.RUNNERS_FAILING));
    memory.creation().revision(set.getSpec().revision());
    memory.removals().restore(CollectionState.of(before));
    var observed = gathering.observe(set, labelled, memory, now);
    var input = gathering.input(set, observed, delivered, memory, now);
    var plan = ReplicasPlanner.plan(input, now);
    memory.surplusSince(plan.surplusSince());
    if (plan.removal() != null) {
      actions.remove(set, plan.removal(), observed.byUid(), memory);
    }
    var sweep = input.removal().sweep();
    if (plan.sweepOver() && sweep != null && memory.removals().endSweep(sweep)) {
      actions.sweepEnded(set, sweep, memory);
    }
    if (plan.create() > 0) {
      actions.create(set, plan.creation(), memory);
    }
    // last, since hundreds of deletions take seconds, in which new runners must not wait
    actions.deleteFinished(plan.finished(), observed.byUid(), memory);
    return new Result(observed, input, plan);
  }
}

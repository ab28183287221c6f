package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.audit.ServiceCounts;
import dev.runnerset.controller.hooks.SetFeatures;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.controller.passes.Steps;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One pass over an EphemeralRunnerSet: gathers, plans, applies. The reconciler runs it in the
 * cluster, and simulations run it in virtual time.
 */
record ReplicasPass(RunnerGathering gathering, SetFeatures features, Actions actions) {
  /** Since when there have been too many runners, as the last plan said; empty for no surplus. */
  static final Slot<Optional<Instant>> SURPLUS_SINCE = new Slot<>(Optional.empty());

  /** Carries out the parts of a plan. */
  interface Actions {
    /** Begins to delete the resources of ended runners; a failure triggers a reconcile. */
    void deleteFinished(List<RunnerView> finished, SetMemory memory);

    /** Begins removals, as many as may be under way; the end of each triggers a reconcile. */
    void remove(RemovalPlan plan, SetMoment moment, SetMemory memory);

    /** Makes runners; blocks for it. A refusal becomes a backoff, not an exception. */
    void create(EphemeralRunnerSet set, Provisioning wanted, SetMemory memory);
  }

  /**
   * What a pass saw and decided.
   *
   * @param counts the latest that the service counted; null for nothing
   */
  record Result(SetMoment moment, @Nullable ServiceCounts counts, ReplicasPlan plan) {}

  /**
   * Runs one pass.
   *
   * @param changed the runners with the label of the set that changed, as {@link RunnerGathering}
   *     says
   * @param delivered as {@link SetMoment} says; read before {@code changed}
   * @param steps take those of features, so that a failure of one stops nothing else (WR3)
   */
  Result run(
      EphemeralRunnerSet set,
      Map<String, Optional<EphemeralRunner>> changed,
      long delivered,
      SetMemory memory,
      Steps steps,
      Instant now) {
    var before = set.statusOrNone();
    memory
        .creation()
        .restore(
            before.failures(),
            StatusConditions.isTrue(before.conditions(), ConditionType.RUNNERS_FAILING));
    memory.creation().revision(set.getSpec().revision());
    var counts = memory.audit().get().counts(set);
    var moment = gathering.observe(set, changed, counts, delivered, memory, now);
    for (var feature : features.inOrder()) {
      steps.take(() -> feature.follow(moment));
    }
    var plan = ReplicasPlanner.plan(moment, features.removalRules());
    var since = Optional.ofNullable(plan.surplusSince());
    memory.slots().put(SURPLUS_SINCE, since);
    if (plan.removal() != null) {
      actions.remove(plan.removal(), moment, memory);
    }
    actions.deleteFinished(plan.finished(), memory); // before runners are made: it does not block
    if (plan.create() > 0) {
      actions.create(set, plan.creation(), memory);
    }
    if (plan.create() == ReplicasPlanner.MOST_MADE) {
      moment.now().note(RequeueTime.at(now.plusMillis(1))); // more may be missing
    }
    return new Result(moment, counts, plan);
  }
}

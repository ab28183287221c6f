package dev.runnerset.controller.features.rollout;

import dev.runnerset.controller.hooks.ConditionRule;
import dev.runnerset.controller.hooks.RunnerSetFacts;
import dev.runnerset.controller.hooks.SetFeature;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RemovalRule;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.crds.EphemeralRunnerSetStatusBuilder;
import java.util.List;

/** Replaces runners of an older revision (RV2), and says in the status how far that is (HS6). */
public final class Rollout implements RemovalRule, SetFeature {
  private static final Slot<RolloutMoment> MOMENT = new Slot<>(RolloutMoment.NONE);

  @Override
  public List<RemovalRule> removalRules() {
    return List.of(this);
  }

  @Override
  public List<ConditionRule<RunnerSetFacts>> conditions() {
    return List.of(RolloutStall.CONDITION);
  }

  @Override
  public RemovalReason reason() {
    return RemovalReason.REVISION;
  }

  @Override
  public int surge(SetMoment moment) {
    return new RolloutPlanner(moment).surge();
  }

  @Override
  public RemovalPlan plan(SetMoment moment, Surplus surplus) {
    return surplus.since() == null
        ? new RolloutPlanner(moment).removal()
        : RemovalPlan.none(reason());
  }

  @Override
  public void fill(SetMoment moment, EphemeralRunnerSetStatusBuilder status) {
    var counts = RolloutProgress.of(moment);
    var at = moment.slots().change(MOMENT, before -> before.next(counts, moment));
    status.rollout(counts.withSettled(at.settled()));
  }
}

package dev.runnerset.controller.features.shield;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.removal.Candidates;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalPlanner;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RemovalRule;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.SetMoment;

/**
 * Removes idle runners from nodes that are cordoned or about to go (SD10), so that a drain meets
 * none of them, and no job begins where it would hold the drain or be lost.
 */
@Pure
public final class LeavingNodeRule implements RemovalRule {
  private static final Candidates TO_LEAVE = Candidates.at(RunnerView::mustLeaveNode);

  @Override
  public RemovalReason reason() {
    return RemovalReason.CORDONED;
  }

  @Override
  public RemovalPlan plan(SetMoment moment, Surplus surplus) {
    return RemovalPlanner.retire(TO_LEAVE, reason(), moment);
  }
}

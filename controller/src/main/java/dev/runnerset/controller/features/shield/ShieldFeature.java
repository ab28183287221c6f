package dev.runnerset.controller.features.shield;

import dev.runnerset.controller.hooks.ConditionRule;
import dev.runnerset.controller.hooks.NodesToLeave;
import dev.runnerset.controller.hooks.RunnerSetFacts;
import dev.runnerset.controller.hooks.SetFeature;
import dev.runnerset.controller.removal.RemovalRule;
import dev.runnerset.controller.removal.SetMoment;
import java.util.List;
import java.util.Optional;

/**
 * Shields pods with a job from drains, and empties nodes that are cordoned or about to go (SH1,
 * SD10).
 *
 * @param reader what of the shield the cluster lacks
 */
public record ShieldFeature(Shields shields, LeavingNodes nodes, ShieldReader reader)
    implements SetFeature {
  @Override
  public List<RemovalRule> removalRules() {
    return List.of(new LeavingNodeRule());
  }

  @Override
  public void follow(SetMoment moment) {
    shields.follow(moment);
  }

  @Override
  public List<ConditionRule<RunnerSetFacts>> conditions() {
    return List.of(reader.incomplete());
  }

  @Override
  public List<ConditionRule<SetMoment>> runnerConditions() {
    return List.of(DrainCondition.RULE, JobsAtRiskCondition.RULE);
  }

  @Override
  public Optional<NodesToLeave> nodesToLeave() {
    return Optional.of(nodes);
  }
}

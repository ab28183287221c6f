package dev.runnerset.controller.features.retention;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.ephemeralrunner.outcome.RetentionCheck;
import dev.runnerset.controller.hooks.ConditionRule;
import dev.runnerset.controller.hooks.RunnerSetFacts;
import dev.runnerset.controller.hooks.SetFeature;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.RunnerSetReason;
import java.util.List;

/** Whether fields of {@code spec.retention} are ignored because they are invalid, and which. */
@Pure
public final class RetentionRefused implements SetFeature {
  private static final ConditionRule<RunnerSetFacts> RULE =
      new ConditionRule<>(
          ConditionType.RETENTION_REFUSED,
          facts ->
              RetentionCheck.problem(facts.set().getSpec().retention())
                  .map(problem -> Verdict.yes(RunnerSetReason.INVALID_RETENTION, problem)));

  @Override
  public List<ConditionRule<RunnerSetFacts>> conditions() {
    return List.of(RULE);
  }
}

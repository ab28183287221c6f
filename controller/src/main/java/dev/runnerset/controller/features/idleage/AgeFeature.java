package dev.runnerset.controller.features.idleage;

import dev.runnerset.controller.hooks.ConditionRule;
import dev.runnerset.controller.hooks.RunnerSetFacts;
import dev.runnerset.controller.hooks.SetFeature;
import dev.runnerset.controller.removal.RemovalRule;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.crds.AutoScalingRunnerSetStatusBuilder;
import dev.runnerset.crds.EphemeralRunnerSetStatusBuilder;
import java.util.List;

/** Removes runners that are idle for too long, and reports what it does (AC1 to AC8). */
public record AgeFeature(IdleAge idleAge, AgeReport report) implements SetFeature {
  @Override
  public List<RemovalRule> removalRules() {
    return List.of(idleAge);
  }

  @Override
  public void follow(SetMoment moment) {
    idleAge.follow(moment);
  }

  @Override
  public void fill(SetMoment moment, EphemeralRunnerSetStatusBuilder status) {
    idleAge.fill(moment, status);
  }

  @Override
  public void fill(RunnerSetFacts facts, AutoScalingRunnerSetStatusBuilder status) {
    report.fill(facts, status);
  }

  @Override
  public List<ConditionRule<RunnerSetFacts>> conditions() {
    return report.conditions();
  }
}

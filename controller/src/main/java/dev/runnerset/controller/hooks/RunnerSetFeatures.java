package dev.runnerset.controller.hooks;

import dev.runnerset.controller.scaling.Limits;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetStatusBuilder;
import java.util.List;
import java.util.function.Function;

/**
 * What features bring to the reconciler of AutoScalingRunnerSets.
 *
 * @param limits which limits of a set hold now; does not block
 * @param conditions of the status, after those of the core
 * @param fields parts of the status
 */
public record RunnerSetFeatures(
    Function<AutoScalingRunnerSet, Limits> limits,
    List<ConditionRule<RunnerSetFacts>> conditions,
    List<StatusField<RunnerSetFacts, AutoScalingRunnerSetStatusBuilder>> fields) {
  public RunnerSetFeatures {
    conditions = List.copyOf(conditions);
    fields = List.copyOf(fields);
  }
}

package dev.runnerset.controller.hooks;

import dev.runnerset.controller.removal.NodeFate;
import dev.runnerset.controller.removal.RemovalRule;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.controller.scaling.Limits;
import dev.runnerset.controller.scaling.RunnerPlaces;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All features of runner sets. Their order is the order of the rules of removal, of the fields, and
 * of the conditions in a status.
 */
public final class SetFeatures {
  private final List<SetFeature> inOrder;
  private final List<RemovalRule> removalRules;
  private final List<ConditionRule<RunnerSetFacts>> conditions;
  private final List<ConditionRule<SetMoment>> runnerConditions;

  /** These features, in this order. */
  public SetFeatures(List<SetFeature> inOrder) {
    this.inOrder = List.copyOf(inOrder);
    removalRules = all(SetFeature::removalRules);
    conditions = all(SetFeature::conditions);
    runnerConditions = all(SetFeature::runnerConditions);
  }

  private <T> List<T> all(Function<SetFeature, List<T>> part) {
    return inOrder.stream().map(part).flatMap(List::stream).toList();
  }

  private <T> Optional<T> first(Function<SetFeature, Optional<T>> part) {
    return inOrder.stream().map(part).flatMap(Optional::stream).findFirst();
  }

  /** The features in their order. */
  public List<SetFeature> inOrder() {
    return inOrder;
  }

  /**
   * The current limits of the set. The first feature that sets limits decides; without one, the
   * spec.
   */
  public Limits limits(AutoScalingRunnerSet set) {
    return first(feature -> feature.limits(set)).orElseGet(() -> Limits.usual(set.getSpec()));
  }

  /**
   * How many runners there is room for now, as the first feature says that limits them.
   *
   * @param runners null if the set has no EphemeralRunnerSet yet
   */
  public RunnerPlaces places(
      AutoScalingRunnerSet set, @Nullable EphemeralRunnerSet runners, int maxRunners) {
    return first(feature -> feature.places(set, runners, maxRunners)).orElse(RunnerPlaces.NONE);
  }

  /** All rules of removal. The core has some of them. */
  public List<RemovalRule> removalRules() {
    return removalRules;
  }

  /** The conditions of an AutoScalingRunnerSet, after those of the core. */
  public List<ConditionRule<RunnerSetFacts>> conditions() {
    return conditions;
  }

  /** The conditions of an EphemeralRunnerSet, after those of the core. */
  public List<ConditionRule<SetMoment>> runnerConditions() {
    return runnerConditions;
  }

  /** The nodes that runners are to leave, as the first feature says that knows of any. */
  public NodesToLeave nodesToLeave() {
    return first(SetFeature::nodesToLeave).orElse((node, created) -> NodeFate.STAYS);
  }
}

package dev.runnerset.controller.hooks;

import dev.runnerset.controller.removal.RemovalRule;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.controller.scaling.Limits;
import dev.runnerset.controller.scaling.RunnerPlaces;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetStatusBuilder;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetStatusBuilder;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One feature of runner sets: what it adds to the passes over a set, which see {@link
 * RunnerSetFacts}, and to the passes over its runners, which see a {@link SetMoment}. A feature
 * overrides only what it needs. It must be thread-safe, and no method may block.
 */
public interface SetFeature {
  /** The limits of the set that hold now; empty if the feature sets none. */
  default Optional<Limits> limits(AutoScalingRunnerSet set) {
    return Optional.empty();
  }

  /**
   * How many runners there is room for now (DM12); empty if the feature knows of no limit.
   *
   * @param runners null if the set has no EphemeralRunnerSet yet
   * @param maxRunners as the user or a schedule says
   */
  default Optional<RunnerPlaces> places(
      AutoScalingRunnerSet set, @Nullable EphemeralRunnerSet runners, int maxRunners) {
    return Optional.empty();
  }

  /** The rules by which the feature removes idle runners. */
  default List<RemovalRule> removalRules() {
    return List.of();
  }

  /** Learns of the runners, in each pass over them, before the pass plans. */
  default void follow(SetMoment moment) {}

  /** Puts the feature's fields into the status of the AutoScalingRunnerSet. */
  default void fill(RunnerSetFacts facts, AutoScalingRunnerSetStatusBuilder status) {}

  /** The status that {@link #fill} added to is stored. Called only if it had changed. */
  default void stored(RunnerSetFacts facts) {}

  /** Puts the feature's fields into the status of the EphemeralRunnerSet. */
  default void fill(SetMoment moment, EphemeralRunnerSetStatusBuilder status) {}

  /** The conditions of the AutoScalingRunnerSet. */
  default List<ConditionRule<RunnerSetFacts>> conditions() {
    return List.of();
  }

  /** The conditions of the EphemeralRunnerSet. */
  default List<ConditionRule<SetMoment>> runnerConditions() {
    return List.of();
  }

  /** The nodes that runners are to leave; empty if the feature knows of none. */
  default Optional<NodesToLeave> nodesToLeave() {
    return Optional.empty();
  }

  /** A rule of the core, at its place among the features. */
  static SetFeature of(RemovalRule rule) {
    return new SetFeature() {
      @Override
      public List<RemovalRule> removalRules() {
        return List.of(rule);
      }
    };
  }
}

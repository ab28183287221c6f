package dev.runnerset.controller.hooks;

import dev.runnerset.controller.removal.RemovalRule;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.crds.EphemeralRunnerSetStatusBuilder;
import java.util.List;
import java.util.function.Consumer;

/**
 * What features bring to the reconciler of EphemeralRunnerSets.
 *
 * @param rules all rules of removal in their order, those of the core among them
 * @param followers are called in each pass before it is planned what to do, for what a feature
 *     remembers and judges of the runners of sets
 * @param fields parts of the status
 * @param conditions of the status, after those of the core
 * @param nodesToLeave the nodes that runners are to leave
 */
public record SetFeatures(
    List<RemovalRule> rules,
    List<Consumer<SetMoment>> followers,
    List<StatusField<SetMoment, EphemeralRunnerSetStatusBuilder>> fields,
    List<ConditionRule<SetMoment>> conditions,
    NodesToLeave nodesToLeave) {
  /** Copies the lists. */
  public SetFeatures {
    rules = List.copyOf(rules);
    followers = List.copyOf(followers);
    fields = List.copyOf(fields);
    conditions = List.copyOf(conditions);
  }
}

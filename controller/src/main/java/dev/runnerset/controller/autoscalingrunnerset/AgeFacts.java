package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.autoscalingrunnerset.status.ConditionInput;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.features.idleage.AgeCollection;
import dev.runnerset.controller.features.idleage.AgeLimit;
import dev.runnerset.controller.features.idleage.CollectionState;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSet;
import org.jspecify.annotations.Nullable;

/** What the conditions of a set say of age collection. */
@Pure
final class AgeFacts {
  private AgeFacts() {}

  static ConditionInput.AgeCollection of(
      AgeCollection rules, AutoScalingRunnerSet set, @Nullable EphemeralRunnerSet ers) {
    var refused =
        rules.limit(set) instanceof AgeLimit.Refused(var reason, var message)
            ? new Finding(reason, message)
            : null;
    var state = ers == null ? CollectionState.NONE : CollectionState.of(ers.statusOrNone());
    return new ConditionInput.AgeCollection(
        refused, state.failing(), state.thrashing(set.minRunnersNow()));
  }
}

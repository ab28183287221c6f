package dev.runnerset.controller.autoscalingrunnerset.planning;

import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Timestamps;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A runner set and its children in the caches; {@code all} are the runner sets of the cluster. */
public record ObservedRunnerSet(
    AutoScalingRunnerSet set,
    List<AutoScalingRunnerSet> all,
    @Nullable EphemeralRunnerSet ephemeralRunnerSet,
    @Nullable AutoScalingListener listener,
    @Nullable Role role,
    @Nullable RoleBinding binding,
    @Nullable PodDisruptionBudget budget) {
  public ObservedRunnerSet {
    all = List.copyOf(all);
  }

  /** The same after a write to the set. */
  public ObservedRunnerSet with(AutoScalingRunnerSet written) {
    return new ObservedRunnerSet(written, all, ephemeralRunnerSet, listener, role, binding, budget);
  }

  /** Since when the listener reports that it has no connection; null if it does not. */
  public @Nullable Instant disconnectedSince() {
    if (listener == null) {
      return null;
    }
    return StatusConditions.find(
            listener.statusOrNone().conditions(), ConditionType.CONNECTED, Value.FALSE)
        .map(ObservedRunnerSet::transition)
        .orElse(null);
  }

  /**
   * Since when the listener has the session of the set's scale set, which it knew by its identity;
   * null if it has none, or was not given the identity.
   */
  public @Nullable Instant connectedSince() {
    if (listener == null
        || listener.getSpec().scaleSet() == null
        || !listener.getSpec().scaleSetId().equals(set.statusOrNone().scaleSetId())) {
      return null;
    }
    return StatusConditions.find(
            listener.statusOrNone().conditions(), ConditionType.CONNECTED, Value.TRUE)
        .map(ObservedRunnerSet::transition)
        .orElse(null);
  }

  private static Instant transition(Condition condition) {
    var at = Timestamps.parse(condition.getLastTransitionTime());
    return at == null ? Instant.EPOCH : at;
  }
}

package dev.runnerset.controller.autoscalingrunnerset.planning;

import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.base.Pure;
import dev.runnerset.controller.autoscalingrunnerset.status.RunnerSetConditions;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.ScaleSetProvenance.Origin;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.ListenerReason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import org.jspecify.annotations.Nullable;

/**
 * Whether no runner is made, since the session of the scale set is, or may be, somebody else's: the
 * runners would take the jobs of another controller (NM6).
 */
@Pure
public final class CreationHold {
  private CreationHold() {}

  /**
   * Held from the conflict on until our listener has its session; and for an adopted scale set from
   * the beginning.
   *
   * @param ers as it is; null before it is made
   * @param listener as it is; null before it is made
   */
  public static boolean of(
      @Nullable EphemeralRunnerSet ers,
      @Nullable AutoScalingListener listener,
      ScaleSetId id,
      @Nullable Origin origin) {
    if (listener != null && listener.getSpec().scaleSetId().equals(id.value())) {
      if (isConflicting(listener)) {
        return true;
      }
      if (RunnerSetConditions.isConnected(listener, listener.statusOrNone())) {
        return false;
      }
    }
    return ers != null && ers.getSpec().runnerScaleSetId().equals(id.value())
        ? Boolean.TRUE.equals(ers.getSpec().creationHeld())
        : origin == Origin.ADOPTED;
  }

  private static boolean isConflicting(AutoScalingListener listener) {
    return StatusConditions.find(
            listener.statusOrNone().conditions(), ConditionType.CONNECTED, Value.FALSE)
        .filter(c -> StatusConditions.has(c, ListenerReason.SESSION_CONFLICT))
        .isPresent();
  }
}

package dev.runnerset.controller.autoscalingrunnerset.status;

import dev.runnerset.controller.scaling.CapacityPlan;
import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.Retention;
import dev.runnerset.crds.RunnerMode;
import io.fabric8.kubernetes.api.model.Condition;
import org.jspecify.annotations.Nullable;

/**
 * All that the conditions of a set are told from.
 *
 * @param deletion what its deletion waits for, or null while it is not being deleted
 * @param retention the set's rules for finished runners, null while it has none
 * @param template why its template makes no runners, or null
 * @param cluster why its children could not be written, or null
 * @param listener the status of its listener object, or null while there is none
 * @param runnersFailing the condition of its EphemeralRunnerSet, or null while there is none
 * @param rolloutStalled why its rollout does not come to its end, or null
 * @param ages what age collection tells
 */
public record ConditionInput(
    @Nullable String deletion,
    RunnerMode mode,
    @Nullable Retention retention,
    @Nullable Finding template,
    Registration registration,
    @Nullable Finding cluster,
    @Nullable AutoScalingListenerStatus listener,
    CapacityPlan capacity,
    @Nullable Condition runnersFailing,
    @Nullable String rolloutStalled,
    AgeView ages) {

  /** Of a set without rules for finished and for idle runners, and without a rollout. */
  public ConditionInput(
      @Nullable String deletion,
      RunnerMode mode,
      @Nullable Finding template,
      Registration registration,
      @Nullable Finding cluster,
      @Nullable AutoScalingListenerStatus listener,
      CapacityPlan capacity,
      @Nullable Condition runnersFailing) {
    this(
        deletion,
        mode,
        null,
        template,
        registration,
        cluster,
        listener,
        capacity,
        runnersFailing,
        null,
        AgeView.NONE);
  }
}

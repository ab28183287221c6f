package dev.runnerset.controller.hooks;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.removal.Now;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetStatus;
import dev.runnerset.crds.EphemeralRunnerSet;
import org.jspecify.annotations.Nullable;

/**
 * A runner set and its children as a pass leaves them: what its status follows from.
 *
 * @param set with the status as it is stored
 * @param status the same for a {@link SetFeature#fill}; for a {@link ConditionRule} with what all
 *     fields have put into it
 * @param ephemeralRunnerSet null while there is none
 * @param listener null while there is none
 * @param heard what the listener object says, and whether its holder is dead; null without one
 * @param runners what is wrong with its runners
 * @param offering whether the pass went as far as to offer the set's runners for jobs
 * @param withoutBudget why the PodDisruptionBudget of the set does not stand; null if it does
 * @param now tells when the status may be another one without an event
 */
@Pure
public record RunnerSetFacts(
    AutoScalingRunnerSet set,
    AutoScalingRunnerSetStatus status,
    @Nullable EphemeralRunnerSet ephemeralRunnerSet,
    @Nullable AutoScalingListener listener,
    @Nullable AutoScalingListenerStatus heard,
    RunnersReport runners,
    boolean offering,
    @Nullable String withoutBudget,
    Now now) {
  public boolean isBeingDeleted() {
    return set.isMarkedForDeletion();
  }

  /** The same with the status that is about to be written. */
  public RunnerSetFacts with(AutoScalingRunnerSetStatus next) {
    return new RunnerSetFacts(
        set, next, ephemeralRunnerSet, listener, heard, runners, offering, withoutBudget, now);
  }
}

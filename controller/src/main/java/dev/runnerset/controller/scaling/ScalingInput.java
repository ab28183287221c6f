package dev.runnerset.controller.scaling;

import dev.runnerset.crd.Demand;
import dev.runnerset.crd.RunnerMode;
import org.jspecify.annotations.Nullable;

/**
 * What the number of runners of a set depends on.
 *
 * @param demand as the listener heard it; null when it is unknown, which is not zero
 * @param markedBusy runners marked busy whose job is not known to be over, counted from the runners
 * @param beingDeleted whether the set is going
 */
public record ScalingInput(
    @Nullable Demand demand,
    int minRunners,
    int maxRunners,
    RunnerMode mode,
    int markedBusy,
    boolean beingDeleted) {}

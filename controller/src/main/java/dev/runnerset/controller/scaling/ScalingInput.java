package dev.runnerset.controller.scaling;

import dev.runnerset.crd.Demand;
import dev.runnerset.crd.RunnerMode;
import org.jspecify.annotations.Nullable;

/**
 * What the number of runners of a set depends on.
 *
 * @param demand as the listener heard it; null when it is unknown, which is not zero
 * @param beingDeleted whether the set is going
 */
public record ScalingInput(
    @Nullable Demand demand,
    int minRunners,
    int maxRunners,
    RunnerMode mode,
    boolean beingDeleted) {}

package dev.runnerset.controller.scaling;

import dev.runnerset.crds.Demand;
import dev.runnerset.crds.RunnerMode;
import org.jspecify.annotations.Nullable;

/**
 * What the number of runners of a set depends on.
 *
 * @param demand as the listener heard it; null when it is unknown, which is not zero
 * @param beingDeleted whether the set is being deleted
 * @param releasedIdle places of {@code minRunners} that stay empty (AC8)
 */
public record ScalingInput(
    @Nullable Demand demand,
    int minRunners,
    int maxRunners,
    RunnerMode mode,
    boolean beingDeleted,
    int releasedIdle) {}

package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.ownership.ResourceLookup;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.removal.RemovalRequestGate;
import dev.runnerset.crds.EphemeralRunnerSet;
import java.util.function.Consumer;

/**
 * What the reconcilers of runners and of EphemeralRunnerSets share.
 *
 * @param exits written here, read there
 * @param newRunners written there, read here
 * @param sets the EphemeralRunnerSets in the cache
 * @param trigger makes the other reconciler run
 * @param verdicts written there, read here
 * @param gate keeps what is asked here within the budget that is kept there
 * @param memories what both remember of runners
 */
public record SharedWithSets(
    RunnerExits exits,
    NewRunners newRunners,
    ResourceLookup<EphemeralRunnerSet> sets,
    Consumer<SetKey> trigger,
    RunnerVerdicts verdicts,
    RemovalRequestGate gate,
    Memories memories) {}

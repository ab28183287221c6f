package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.crds.RunnerCounts;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done about a set's runners.
 *
 * @param create how many to make now
 * @param finished ended runners whose resources go now
 * @param removal surplus runners that go now; null when none do
 * @param surplusSince to be handed to the next plan
 * @param requeueAt the earliest instant at which the plan would differ without an event
 */
record ReplicasPlan(
    int create,
    List<RunnerView> finished,
    @Nullable RemovalPlan removal,
    RunnerCounts counts,
    @Nullable Instant surplusSince,
    @Nullable Instant requeueAt) {
  ReplicasPlan {
    finished = List.copyOf(finished);
  }
}

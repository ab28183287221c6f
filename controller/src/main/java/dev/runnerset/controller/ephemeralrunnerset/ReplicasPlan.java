package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Pure;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.crds.RunnerCounts;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done about a set's runners.
 *
 * @param creation how many runners to make now, and for what
 * @param finished ended runners whose resources go now
 * @param removal runners that are removed now; null if none are
 * @param surplusSince since when there have been too many runners, for the next plan
 * @param requeue when the plan may be another one without an event
 */
@Pure
record ReplicasPlan(
    Provisioning creation,
    List<RunnerView> finished,
    @Nullable RemovalPlan removal,
    RunnerCounts counts,
    @Nullable Instant surplusSince,
    RequeueTime requeue) {
  ReplicasPlan {
    finished = List.copyOf(finished);
  }

  /** How many runners to make now. */
  int create() {
    return creation.count();
  }
}

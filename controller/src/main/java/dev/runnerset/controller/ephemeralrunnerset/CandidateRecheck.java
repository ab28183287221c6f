package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.removal.OverdueExit;
import dev.runnerset.controller.removal.RemovalPlanner;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * The chosen of a pass as they are when their turn comes: since then a job, an end, a refusal or
 * somebody's deletion may have come, and another pass may have asked for them.
 */
final class CandidateRecheck implements ScaleDownPass.Chosen {
  private final EphemeralRunnerSet set;
  private final RemovalReason reason;
  private final RunnerGathering gathering;
  private final SetCaches caches;
  private final Clock clock;

  CandidateRecheck(
      EphemeralRunnerSet set,
      RemovalReason reason,
      RunnerGathering gathering,
      SetCaches caches,
      Clock clock) {
    this.set = set;
    this.reason = reason;
    this.gathering = gathering;
    this.caches = caches;
    this.clock = clock;
  }

  @Override
  public @Nullable EphemeralRunner runner(RunnerView chosen) {
    return caches
        .runner(set.getMetadata().getNamespace(), chosen.name())
        .filter(runner -> chosen.uid().equals(runner.getMetadata().getUid()))
        .filter(runner ->
            RemovalPlanner.isCandidate(
                gathering.view(set, runner, caches.memory(set)),
                reason,
                OverdueExit.weighed(set.getSpec().replicas(), set.getSpec().demandMessageId()),
                clock.instant()))
        .orElse(null);
  }
}

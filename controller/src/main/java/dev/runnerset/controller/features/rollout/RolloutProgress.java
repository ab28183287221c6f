package dev.runnerset.controller.features.rollout;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.crds.RolloutCounts;

/**
 * Counts how far a revision has come, for the history of the set (HS6). A runner of another
 * revision counts while its resource has no terminal phase, even if it is being deleted, since the
 * status refers to it until then.
 */
@Pure
final class RolloutProgress {
  private RolloutProgress() {}

  static RolloutCounts of(SetMoment moment) {
    int older = 0;
    int registered = 0;
    for (var runner : moment.runners()) {
      if (runner.older()) {
        older += runner.phase().isTerminal() ? 0 : 1;
      } else if (isConnected(runner) && moment.isLive(runner)) {
        registered++;
      }
    }
    return new RolloutCounts(moment.set().getSpec().revision(), older, registered);
  }

  /** Whether its new version is proven: the service has it online (RN7), or it has a job. */
  static boolean isConnected(RunnerView runner) {
    return runner.registered() || runner.busy();
  }
}

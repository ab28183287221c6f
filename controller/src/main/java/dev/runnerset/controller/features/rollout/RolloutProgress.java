package dev.runnerset.controller.features.rollout;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.removal.Group;
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
  private static final Group OLDER = Group.of(r -> r.older() && !r.phase().isTerminal());

  private static final Group REGISTERED =
      Group.at((r, now) -> !r.older() && isConnected(r) && r.isLive(now));

  private RolloutProgress() {}

  static RolloutCounts of(SetMoment moment) {
    return new RolloutCounts(
        moment.set().getSpec().revision(), moment.count(OLDER), moment.count(REGISTERED));
  }

  /** Whether its new version is proven: the service has it online (RN7), or it has a job. */
  static boolean isConnected(RunnerView runner) {
    return runner.registered() || runner.busy();
  }
}

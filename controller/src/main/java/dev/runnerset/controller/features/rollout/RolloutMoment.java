package dev.runnerset.controller.features.rollout;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.crds.RolloutCounts;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The moment at which no older runner was left and all wanted ones were made. The rollout is
 * settled when the runners of that moment are registered: on a busy set others are always being
 * made, and they prove nothing more (HS6). A restart takes another moment.
 *
 * @param at null while it has not come
 * @param settled whether the revision is settled
 */
@Pure
record RolloutMoment(String revision, @Nullable Instant at, boolean settled) {
  static final RolloutMoment NONE = new RolloutMoment("", null, false);

  /** After those counts; while runners fail, another moment is waited for. */
  RolloutMoment next(RolloutCounts counts, SetMoment set) {
    var none = new RolloutMoment(counts.revision(), null, false);
    var before = revision.equals(counts.revision()) && counts.older() == 0 ? this : none;
    if (before.settled() || counts.older() > 0) {
      return before;
    }
    var now = set.now();
    boolean failing = set.backoff().failures() > 0 && now.isBefore(set.backoff().forgottenAt());
    if (failing || (before.at() == null && set.live() < set.replicas())) {
      return none;
    }
    var since = before.at() == null ? now : before.at();
    boolean allStand = set.runners().stream().noneMatch(runner -> isAwaited(runner, since));
    return new RolloutMoment(counts.revision(), since, allStand);
  }

  private static boolean isAwaited(RunnerView runner, Instant since) {
    return !runner.created().isAfter(since)
        && !RolloutProgress.isConnected(runner)
        && !runner.isEnded()
        && !runner.terminating();
  }
}

package dev.runnerset.controller.features.rollout;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.removal.Group;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.crds.RolloutCounts;
import java.time.Instant;
import java.util.Comparator;
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

  /** The runners that no proof has come of yet, the first ones that were made before others. */
  private static final Group AWAITED =
      Group.of(r -> !RolloutProgress.isConnected(r) && !r.isEnded() && !r.terminating())
          .by(Comparator.comparing(RunnerView::created));

  /** After those counts; while runners fail, another moment is waited for. */
  RolloutMoment next(RolloutCounts counts, SetMoment set) {
    var none = new RolloutMoment(counts.revision(), null, false);
    var before = revision.equals(counts.revision()) && counts.older() == 0 ? this : none;
    if (before.settled() || counts.older() > 0) {
      return before;
    }
    boolean failing =
        set.backoff().failures() > 0 && set.now().isBefore(set.backoff().forgottenAt());
    if (failing || (before.at() == null && set.live() < set.replicas())) {
      return none;
    }
    var since = before.at() == null ? set.now().instant() : before.at();
    boolean allStand = set.in(AWAITED).limit(1).allMatch(first -> first.created().isAfter(since));
    return new RolloutMoment(counts.revision(), since, allStand);
  }
}

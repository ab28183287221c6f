package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.crds.RolloutCounts;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The moment at which no older runner was left and all wanted ones were made. The rollout is
 * settled when the runners of that moment are registered: on a busy set others are always being
 * made, and they prove nothing more (HS6). A restart takes another moment. Thread-safe.
 */
final class RolloutMoment {
  private String revision = ""; // guarded by this
  private @Nullable Instant at; // guarded by this
  private boolean settled; // guarded by this

  /**
   * Whether the revision is settled.
   *
   * @param live the runners that count as wanted ones
   * @param failing whether runners fail: then another moment is waited for
   */
  synchronized boolean isSettled(
      RolloutCounts counts,
      List<RunnerView> runners,
      int live,
      int wanted,
      boolean failing,
      Instant now) {
    if (!revision.equals(counts.revision()) || counts.older() > 0) {
      revision = counts.revision();
      at = null;
      settled = false;
    }
    if (settled || counts.older() > 0) {
      return settled;
    }
    if (failing || (at == null && live < wanted)) {
      at = null;
      return false;
    }
    var moment = at == null ? now : at;
    at = moment;
    settled = runners.stream().noneMatch(runner -> isAwaited(runner, moment));
    return settled;
  }

  private static boolean isAwaited(RunnerView runner, Instant moment) {
    return !runner.created().isAfter(moment)
        && !RolloutProgress.isConnected(runner)
        && !runner.isEnded()
        && !runner.terminating();
  }
}

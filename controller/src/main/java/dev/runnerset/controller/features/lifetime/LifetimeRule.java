package dev.runnerset.controller.features.lifetime;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.removal.Candidates;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalPlanner;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RemovalRule;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.crds.Lifetime;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Replaces idle runners before half of their lifetime is over, so that a job has at least the other
 * half (RN22). Runners that were made together go one after another: each has a moment of its own
 * in the last tenth before the half.
 */
@Pure
public final class LifetimeRule implements RemovalRule {
  private static final int SHARES = 1000;
  private static final int SPREAD = SHARES / 10;

  private static final Candidates DUE =
      Candidates.at((r, now) -> r.isWithoutJob() && now.hasReached(leavesAt(r)));

  @Override
  public RemovalReason reason() {
    return RemovalReason.LIFETIME;
  }

  @Override
  public RemovalPlan plan(SetMoment moment, Surplus surplus) {
    return RemovalPlanner.retire(DUE, reason(), moment);
  }

  /** When it goes if it is idle then; null for one without a lifetime. */
  static @Nullable Instant leavesAt(RunnerView runner) {
    var spec = runner.resource().getSpec();
    return spec == null
        ? null
        : Lifetime.of(spec.maxLifetime())
            .map(lifetime -> begin(runner).plus(idlePart(lifetime, runner.uid())))
            .orElse(null);
  }

  /** The kubelet counts from a later moment: it starts a pod that is bound to its node. */
  private static Instant begin(RunnerView runner) {
    var timeline = runner.resource().statusOrNone().timeline();
    return timeline == null || timeline.scheduled() == null
        ? runner.created()
        : timeline.scheduled();
  }

  private static Duration idlePart(Duration lifetime, String uid) {
    int share = SHARES / 2 - Math.floorMod(uid.hashCode(), SPREAD);
    return lifetime.multipliedBy(share).dividedBy(SHARES);
  }
}

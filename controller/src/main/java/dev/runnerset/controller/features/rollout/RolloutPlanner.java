package dev.runnerset.controller.features.rollout;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.removal.Candidates;
import dev.runnerset.controller.removal.Group;
import dev.runnerset.controller.removal.Now;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalPlanner;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.controller.scaling.DesiredRunners;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * Replaces runners of an older revision that have no job, a quarter of the warm ones at a time, and
 * goes on only as replacements come up (docs/operate/rollout.md). Where {@code maxRunners} leaves
 * room, the replacements come first and no warm runner is missing. Without room under maxRunners or
 * in the cluster, at most one step of warm runners is missing at a time. A runner with a job keeps
 * its revision until it ends.
 */
@Pure
public final class RolloutPlanner {
  /** A replacement counts when its container has run that long, so that a crash does not count. */
  public static final Duration STANDS = Duration.ofSeconds(5);

  /** A replacement that has not started by then may wait for the place of an old runner. */
  public static final Duration OVERDUE = Duration.ofMinutes(3);

  /** How long failures of new runners count after their backoff ended, unless one stands. */
  private static final Duration FAILURES_STAND = Duration.ofMinutes(5);

  private static final int PARTS = 4;

  private static final Group OLDER = Group.of(r -> r.older() && !r.isEnded());

  private static final Group REPLACEABLE =
      Group.at((r, now) -> r.older() && !r.ofAnotherScaleSet() && r.isRemovable(now));

  /** Those of which a job is known, or may be. */
  private static final Group TAKEN =
      Group.at((r, now) -> r.isLive(now) && (r.busy() || r.isBusySuspect(now)));

  /** A replacement that waits so long may need the place of an old runner. */
  private static final Group LATE = Group.at((r, now) -> isStarting(r, now) && isLate(r, now));

  /** Replacements that may still start in time. */
  private static final Group COMING_UP =
      Group.at((r, now) -> isStarting(r, now) && !isStanding(r, now) && !isLate(r, now));

  /** Runners that are ready for a job, and proven if they are replacements. */
  private static final Group STANDING = Group.at((r, now) -> r.isLive(now) && isStanding(r, now));

  private static final Group PROVEN =
      Group.at((r, now) -> !r.older() && r.isLive(now) && (r.busy() || isStanding(r, now)));

  private static final Candidates OLD_STARTING =
      Candidates.of(r -> r.older() && !isReadyForAJob(r));

  private static final Candidates OLD_READY = Candidates.of(r -> r.older() && isReadyForAJob(r));

  private final SetMoment moment;
  private final boolean underWay;
  private final int warmWanted;
  private final int step;

  /** The plan of that moment. */
  RolloutPlanner(SetMoment moment) {
    this.moment = moment;
    underWay = moment.demand() != null && moment.hasAny(OLDER);
    warmWanted = underWay ? Math.max(0, moment.replicas() - moment.count(TAKEN)) : 0;
    step = Math.max(1, warmWanted / PARTS);
  }

  /** How many runners there should be beyond {@code replicas}, so that no warm one is missing. */
  int surge() {
    var maxRunners = moment.set().getSpec().maxRunners();
    return maxRunners == null || !underWay
        ? 0
        : Math.clamp(
            DesiredRunners.most(moment.set()) - moment.replicas(),
            0,
            Math.min(step, moment.count(REPLACEABLE)));
  }

  /** Old runners that are removed now. */
  RemovalPlan removal() {
    if (!underWay || isStopped() || !moment.hasAny(REPLACEABLE)) {
      return RemovalPlan.none(RemovalReason.REVISION);
    }
    int mayBeMissing = surge() == 0 || moment.hasAny(LATE) ? step : 0;
    int spare = moment.count(STANDING) - Math.max(0, warmWanted - mayBeMissing);
    int bound = RemovalPlanner.runningBound(moment);
    var starting =
        RemovalPlanner.first(OLD_STARTING, bound, moment).stream()
            .limit(upToStep(step - moment.count(COMING_UP)))
            .toList();
    int left = bound - (int) starting.stream().filter(RunnerView::ready).count();
    var ready = RemovalPlanner.first(OLD_READY, left, moment).stream().limit(upToStep(spare));
    return RemovalPlan.ofAll(
        Stream.concat(starting.stream(), ready).limit(step), RemovalReason.REVISION);
  }

  /** Whether new runners fail and none of them stands: then no warm runner is removed for them. */
  private boolean isStopped() {
    var backoff = moment.backoff();
    return moment.held()
        || moment.now().isBefore(backoff.notBefore())
        || (backoff.failures() > 0
            && moment.now().isBefore(backoff.notBefore().plus(FAILURES_STAND))
            && !moment.hasAny(PROVEN));
  }

  private int upToStep(int count) {
    return Math.clamp(count, 0, step);
  }

  private static boolean isStarting(RunnerView r, Now now) {
    return !r.older() && r.isLive(now) && r.isRemovable(now);
  }

  private static boolean isLate(RunnerView r, Now now) {
    return !r.ready() && now.isPast(r.created(), OVERDUE);
  }

  private static boolean isStanding(RunnerView r, Now now) {
    return isReadyForAJob(r) && r.isRemovable(now) && (r.older() || r.hasRunFor(STANDS, now));
  }

  private static boolean isReadyForAJob(RunnerView r) {
    return r.isIdle() && r.ready();
  }
}

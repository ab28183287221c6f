package dev.runnerset.controller.features.rollout;

import dev.runnerset.base.Pure;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalPlanner;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.SetMoment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

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

  private final SetMoment moment;
  private final Instant now;
  private final List<RunnerView> live;
  private final List<RunnerView> replaceable;
  private final boolean underWay;
  private final int warmWanted;
  private final int step;

  /** The plan of that moment. */
  RolloutPlanner(SetMoment moment) {
    this.moment = moment;
    now = moment.now();
    live = moment.runners().stream().filter(moment::isLive).toList();
    replaceable =
        moment.runners().stream()
            .filter(r -> r.older() && !r.ofAnotherScaleSet() && r.isRemovable(now))
            .toList();
    underWay =
        moment.demand() != null
            && moment.runners().stream().anyMatch(r -> r.older() && !r.isEnded());
    int taken = (int) live.stream().filter(r -> r.busy() || r.isBusySuspect(now)).count();
    warmWanted = Math.max(0, moment.replicas() - taken);
    step = Math.max(1, warmWanted / PARTS);
  }

  /** How many runners there should be beyond {@code replicas}, so that no warm one is missing. */
  int surge() {
    var maxRunners = moment.set().getSpec().maxRunners();
    return maxRunners == null || !underWay
        ? 0
        : Math.clamp(maxRunners - moment.replicas(), 0, Math.min(step, replaceable.size()));
  }

  /** Old runners that are removed now. */
  RemovalPlan removal() {
    if (!underWay) {
      return RemovalPlan.none(RemovalReason.REVISION, null);
    }
    var requeueTimes = new ArrayList<Instant>();
    addChanges(requeueTimes);
    int mayBeMissing = surge() == 0 || live.stream().anyMatch(this::isOverdue) ? step : 0;
    var old =
        isStopped(requeueTimes) || replaceable.isEmpty()
            ? List.<RunnerView>of()
            : removable(mayBeMissing, requeueTimes);
    return RemovalPlan.ofAll(
        old, RemovalReason.REVISION, RequeueTime.firstAfter(now, requeueTimes.stream()));
  }

  /** Whether new runners fail and none of them stands: then no warm runner is removed for them. */
  private boolean isStopped(List<Instant> requeueTimes) {
    var backoff = moment.backoff();
    var heldUntil = moment.held() ? Instant.MAX : backoff.notBefore();
    if (now.isBefore(heldUntil)) {
      requeueTimes.add(heldUntil);
      return true;
    }
    var until = backoff.notBefore().plus(FAILURES_STAND);
    if (backoff.failures() == 0 || !now.isBefore(until)) {
      return false;
    }
    requeueTimes.add(until);
    return live.stream().noneMatch(r -> !r.older() && (r.busy() || isStanding(r)));
  }

  /** Whether a replacement waits so long that it may need the place of an old runner. */
  private boolean isOverdue(RunnerView r) {
    return !r.older()
        && r.isRemovable(now)
        && !r.ready()
        && !now.isBefore(r.created().plus(OVERDUE));
  }

  private void addChanges(List<Instant> requeueTimes) {
    for (var runner : moment.runners()) {
      if (!runner.older()) {
        requeueTimes.add(runner.waitingSince().plus(runner.ready() ? STANDS : OVERDUE));
      }
      if (runner.busySuspectUntil() != null) {
        requeueTimes.add(runner.busySuspectUntil());
      }
    }
  }

  private List<RunnerView> removable(int mayBeMissing, List<Instant> requeueTimes) {
    int standing = (int) live.stream().filter(this::isStanding).count();
    int spare = standing - Math.max(0, warmWanted - mayBeMissing);
    int comingUp = (int) live.stream().filter(this::isComingUp).count();
    var plan = RemovalPlanner.plan(moment, step);
    plan.requeue().toOptional().ifPresent(requeueTimes::add);
    var old = plan.candidates().stream().filter(RunnerView::older).toList();
    var chosen = new ArrayList<RunnerView>();
    old.stream().filter(r -> !isStanding(r)).limit(upToStep(step - comingUp)).forEach(chosen::add);
    old.stream().filter(this::isStanding).limit(upToStep(spare)).forEach(chosen::add);
    return chosen.subList(0, Math.min(step, chosen.size()));
  }

  private int upToStep(int count) {
    return Math.clamp(count, 0, step);
  }

  /** Whether a replacement may still start in time. */
  private boolean isComingUp(RunnerView r) {
    return !r.older() && r.isRemovable(now) && !isStanding(r) && !isOverdue(r);
  }

  /** Whether a runner is warm: ready for a job, and proven if it is a replacement. */
  private boolean isStanding(RunnerView r) {
    return r.isRemovable(now) && r.isIdle() && r.ready() && (r.older() || r.hasRunFor(STANDS, now));
  }
}

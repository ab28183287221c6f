package dev.runnerset.controller.rollout;

import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalPlanner;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Replaces runners of an older revision that have no job, a quarter of the warm ones at a time, and
 * goes on only as replacements come up (docs/rollout.md). Where {@code maxRunners} leaves room, the
 * replacements come first and no warm runner is missed; where it does not, or where the cluster has
 * no place for them, one step of them is. A runner with a job ends on the revision it began with.
 */
public final class RolloutPlanner {
  /** A replacement counts when its container has run that long: one that crashes must not. */
  public static final Duration STANDS = Duration.ofSeconds(5);

  /** A replacement that has not started by then waits for a place that an old one may have. */
  public static final Duration OVERDUE = Duration.ofMinutes(3);

  private static final int PARTS = 4;

  private final RolloutInput input;
  private final Instant now;
  private final List<RunnerView> replaceable;
  private final int warmWanted;
  private final int step;

  private RolloutPlanner(RolloutInput input, Instant now) {
    this.input = input;
    this.now = now;
    replaceable =
        input.runners().stream()
            .filter(r -> r.older() && !r.ofAnotherScaleSet() && r.isRemovable(now))
            .toList();
    int taken = (int) live().stream().filter(r -> r.busy() || r.isBusySuspect(now)).count();
    warmWanted = Math.max(0, input.replicas() - taken);
    step = Math.max(1, warmWanted / PARTS);
  }

  /** The plan. */
  public static RolloutPlan plan(RolloutInput input, Instant now) {
    var planner = new RolloutPlanner(input, now);
    var demand = input.demand();
    boolean known = demand != null && demand.assigned() != null;
    boolean begun = input.runners().stream().anyMatch(r -> r.older() && !r.isEnded());
    return begun && known ? planner.replace() : RolloutPlan.NONE;
  }

  private RolloutPlan replace() {
    int room = input.maxRunners() == null ? 0 : input.maxRunners() - input.replicas();
    int surge = Math.clamp(room, 0, Math.min(step, replaceable.size()));
    var looks = new ArrayList<Instant>();
    addChanges(looks);
    int mayBeMissing = surge == 0 || live().stream().anyMatch(this::isOverdue) ? step : 0;
    var removal = isStopped(looks) || replaceable.isEmpty() ? null : removal(mayBeMissing, looks);
    return new RolloutPlan(
        surge,
        removal,
        looks.stream().filter(now::isBefore).min(Comparator.naturalOrder()).orElse(null));
  }

  /** New ones fail, and none of them stands: the warm pool is not spent on them. */
  private boolean isStopped(List<Instant> looks) {
    var heldUntil = input.heldUntil();
    if (heldUntil != null && now.isBefore(heldUntil)) {
      looks.add(heldUntil);
      return true;
    }
    var until = input.failingUntil();
    if (until == null || !now.isBefore(until)) {
      return false;
    }
    looks.add(until);
    return live().stream().noneMatch(r -> !r.older() && (r.busy() || isStanding(r)));
  }

  /** It waits so long that nothing but the going of an old one may let it start. */
  private boolean isOverdue(RunnerView r) {
    return !r.older()
        && r.isRemovable(now)
        && !r.ready()
        && !now.isBefore(r.idleSince().plus(OVERDUE));
  }

  private void addChanges(List<Instant> looks) {
    for (var runner : input.runners()) {
      if (!runner.older()) {
        looks.add(runner.idleSince().plus(runner.ready() ? STANDS : OVERDUE));
      }
      if (runner.busySuspectUntil() != null) {
        looks.add(runner.busySuspectUntil());
      }
    }
  }

  private @Nullable RemovalPlan removal(int mayBeMissing, List<Instant> looks) {
    int standing = (int) live().stream().filter(this::isStanding).count();
    int spare = standing - Math.max(0, warmWanted - mayBeMissing);
    int comingUp = (int) live().stream().filter(this::isComingUp).count();
    var plan = RemovalPlanner.plan(input.removal(step), now);
    if (plan.requeueAt() != null) {
      looks.add(plan.requeueAt());
    }
    var old = plan.candidates().stream().filter(RunnerView::older).toList();
    var chosen = new ArrayList<RunnerView>();
    old.stream().filter(r -> !isStanding(r)).limit(upToStep(step - comingUp)).forEach(chosen::add);
    old.stream().filter(this::isStanding).limit(upToStep(spare)).forEach(chosen::add);
    if (chosen.isEmpty()) {
      return null;
    }
    var some = chosen.subList(0, Math.min(step, chosen.size()));
    return new RemovalPlan(some, some.size(), RemovalReason.REVISION, null);
  }

  private int upToStep(int count) {
    return Math.clamp(count, 0, step);
  }

  private List<RunnerView> live() {
    return input.runners().stream().filter(r -> r.isLive(input.demandMessageId(), now)).toList();
  }

  /** A replacement that does not stand yet, and is not given up. */
  private boolean isComingUp(RunnerView r) {
    return !r.older() && r.isRemovable(now) && !isStanding(r) && !isOverdue(r);
  }

  /** Warm: ready for a job, and, where it is a replacement, proven. */
  private boolean isStanding(RunnerView r) {
    return r.isRemovable(now)
        && r.isIdle()
        && r.ready()
        && (r.older() || !now.isBefore(r.idleSince().plus(STANDS)));
  }
}

package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.removal.FormerScaleSet;
import dev.runnerset.controller.removal.OverdueExit;
import dev.runnerset.controller.removal.RemovalInput;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalPlanner;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.rollout.RolloutInput;
import dev.runnerset.controller.rollout.RolloutPlan;
import dev.runnerset.controller.rollout.RolloutPlanner;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.crds.RunnerPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Keeps the number of runners: makes the missing, chooses the surplus. */
final class ReplicasPlanner {
  /** A surplus stands that long before anything is removed. */
  static final Duration SURPLUS_STANDS = Duration.ofSeconds(1);

  private ReplicasPlanner() {}

  static ReplicasPlan plan(ReplicasInput input, Instant now) {
    int live = live(input, now);
    var looks = new ArrayList<Instant>();
    settleEnds(input, now, looks);
    var rollout = RolloutPlanner.plan(rolloutInput(input), now);
    int wanted = input.replicas() + rollout.surge();
    int create = create(input, wanted - live, now, looks);
    int surplus = surplus(input, live - rollout.surge());
    var since = surplusSince(input, surplus, now);
    var removal =
        since == null
            ? replacement(input, rollout, now, looks)
            : removal(input, surplus, since, now, looks);
    if (removal == null) {
      removal = ofFormerScaleSet(input, now, looks);
    }
    if (removal == null) {
      removal = overdueExits(input, now, looks);
    }
    return new ReplicasPlan(
        create,
        input.runners().stream().filter(r -> mayGo(r, input, now)).toList(),
        removal,
        counts(input, live),
        since,
        looks.stream()
            .filter(now::isBefore)
            .filter(Instant.MAX::isAfter)
            .min(Comparator.naturalOrder())
            .orElse(null));
  }

  /** While starts fail, a few runners try; the first one that starts opens the way for all. */
  private static int create(ReplicasInput input, int missing, Instant now, List<Instant> looks) {
    if (input.creationHeld() || missing <= 0) {
      return 0;
    }
    var backoff = input.creationBackoff();
    if (!backoff.isOpen(now)) {
      looks.add(backoff.notBefore());
      return 0;
    }
    if (!backoff.isProbing(now)) {
      return missing;
    }
    int trying = (int) input.runners().stream().filter(r -> isTrying(r, input, now)).count();
    int create = Math.clamp(CreationBackoff.PROBES - trying, 0, missing);
    if (create < missing) {
      looks.add(backoff.forgottenAt());
    }
    return create;
  }

  private static boolean isTrying(RunnerView runner, ReplicasInput input, Instant now) {
    return !runner.older()
        && runner.phase() == RunnerPhase.PENDING
        && !runner.podMade()
        && runner.isLive(input.demandMessageId(), now);
  }

  static int live(ReplicasInput input, Instant now) {
    return (int)
        input.runners().stream().filter(r -> r.isLive(input.demandMessageId(), now)).count();
  }

  /**
   * Unknown demand makes no surplus. Demand is never taken below the runners marked busy (DM8):
   * counted here, from the same picture that the plan is made of, and for removal only; a count of
   * another moment would bring back runners whose jobs just ended (docs/adr/0004).
   */
  private static int surplus(ReplicasInput input, int live) {
    var demand = input.demand();
    if (demand == null || demand.assigned() == null) {
      return 0;
    }
    int running = (int) input.runners().stream().filter(RunnerView::isRunningJob).count();
    int warm = Math.max(0, input.replicas() - demand.assigned());
    return Math.max(0, live - Math.max(input.replicas(), running + warm));
  }

  private static @Nullable Instant surplusSince(ReplicasInput input, int surplus, Instant now) {
    if (surplus == 0) {
      return null;
    }
    return input.surplusSince() == null ? now : input.surplusSince();
  }

  /** Whatever the target and the demand are, since no job comes to them. */
  private static @Nullable RemovalPlan ofFormerScaleSet(
      ReplicasInput input, Instant now, List<Instant> looks) {
    input.runners().stream()
        .filter(r -> r.ofAnotherScaleSet() && r.removalRetryAt() != null)
        .forEach(r -> looks.add(Objects.requireNonNull(r.removalRetryAt())));
    var plan = FormerScaleSet.plan(input.runners(), now);
    return plan != null && mayRemove(input, now, looks) ? plan : null;
  }

  /** A container that does not end after its job goes when nobody else does. */
  private static @Nullable RemovalPlan overdueExits(
      ReplicasInput input, Instant now, List<Instant> looks) {
    for (var runner : input.runners()) {
      var removedAt = OverdueExit.removedAt(runner, input.weighed());
      if (removedAt != null) {
        looks.add(Objects.requireNonNull(runner.completionSeenAt()).plus(OverdueExit.TOLD_AFTER));
        looks.add(removedAt);
      }
    }
    var plan = OverdueExit.plan(input.runners(), input.weighed(), now);
    return plan != null && mayRemove(input, now, looks) ? plan : null;
  }

  /** Runners of an older revision go only while none is too many. */
  private static @Nullable RemovalPlan replacement(
      ReplicasInput input, RolloutPlan rollout, Instant now, List<Instant> looks) {
    if (rollout.requeueAt() != null) {
      looks.add(rollout.requeueAt());
    }
    return rollout.removal() != null && mayRemove(input, now, looks) ? rollout.removal() : null;
  }

  private static RolloutInput rolloutInput(ReplicasInput input) {
    var backoff = input.creationBackoff();
    return new RolloutInput(
        input.runners(),
        input.replicas(),
        input.maxRunners(),
        input.demandMessageId(),
        input.demand(),
        input.creationHeld() ? Instant.MAX : backoff.notBefore(),
        backoff.failures() == 0 ? null : backoff.notBefore().plus(FailingCondition.STANDS),
        input.removedSinceObserved(),
        input.protectionWindow());
  }

  /** One pass at a time, and none before the budget of refusals is open again. */
  private static boolean mayRemove(ReplicasInput input, Instant now, List<Instant> looks) {
    if (!input.removalBudget().isOpen(now)) {
      looks.add(input.removalBudget().notBefore());
      return false;
    }
    return !input.passRunning(); // its end wakes the set
  }

  private static @Nullable RemovalPlan removal(
      ReplicasInput input, int surplus, Instant since, Instant now, List<Instant> looks) {
    var stands = since.plus(SURPLUS_STANDS);
    if (now.isBefore(stands)) {
      looks.add(stands);
      return null;
    }
    if (!mayRemove(input, now, looks)) {
      return null;
    }
    var plan =
        RemovalPlanner.plan(
            new RemovalInput(
                input.runners(),
                surplus,
                input.demand(),
                input.removedSinceObserved(),
                input.protectionWindow()),
            now);
    if (plan.requeueAt() != null) {
      looks.add(plan.requeueAt());
    }
    return plan.candidates().isEmpty() ? null : plan;
  }

  /**
   * An ended runner goes once it is released; an outdated one stays, as the proof of it, and one
   * that a rule of retention keeps is left to the cleanup.
   */
  private static boolean mayGo(RunnerView runner, ReplicasInput input, Instant now) {
    if (runner.kept() || runner.terminating() || runner.askedToGo() || !runner.isEnded()) {
      return false;
    }
    var retryAt = runner.removalRetryAt();
    if (retryAt != null && now.isBefore(retryAt)) {
      return false; // its deletion failed
    }
    return switch (runner.phase()) {
      case OUTDATED -> !input.creationHeld();
      case FAILED -> !runner.isLive(input.demandMessageId(), now);
      // without mark and completion the er reconciler says first what it was: ExitedWithoutJob
      case PENDING, RUNNING ->
          (runner.busy() || runner.completedIn() != null)
              && runner.isReleased(input.demandMessageId(), now);
      case SUCCEEDED -> runner.isReleased(input.demandMessageId(), now);
    };
  }

  private static void settleEnds(ReplicasInput input, Instant now, List<Instant> looks) {
    for (var runner : input.runners()) {
      var endedAt = runner.endedAt();
      if (endedAt != null && runner.isLive(input.demandMessageId(), now)) {
        looks.add(endedAt.plus(RunnerView.SETTLE_WINDOW));
      }
      if (endedAt != null && runner.removalRetryAt() != null) {
        looks.add(runner.removalRetryAt());
      }
      boolean liveAsSuspect = runner.terminating() || runner.ofAnotherScaleSet();
      if (liveAsSuspect && runner.busySuspectUntil() != null) {
        looks.add(runner.busySuspectUntil()); // until then it is live
      }
    }
  }

  private static RunnerCounts counts(ReplicasInput input, int live) {
    int pending = 0;
    int idle = 0;
    int busy = 0;
    int finished = 0;
    for (var runner : input.runners()) {
      if (runner.isEnded() || runner.isExiting()) {
        finished++;
      } else if (runner.isRunningJob()) {
        busy++;
      } else if (runner.isIdle()) {
        idle++;
      } else if (runner.phase() == RunnerPhase.PENDING && !runner.terminating()) {
        pending++;
      }
    }
    return new RunnerCounts(input.replicas(), live, pending, idle, busy, finished);
  }
}

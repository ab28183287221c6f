package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Pure;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.removal.CordonRetirement;
import dev.runnerset.controller.removal.FormerScaleSet;
import dev.runnerset.controller.removal.OverdueExit;
import dev.runnerset.controller.removal.RemovalInput;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalPlanner;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.rollout.RolloutInput;
import dev.runnerset.controller.rollout.RolloutPlan;
import dev.runnerset.controller.rollout.RolloutPlanner;
import dev.runnerset.controller.timing.Times;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.crds.RunnerPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides how many runners of a set are made, which ended ones are deleted, and which are removed.
 * Nothing is changed after the plan.
 */
@Pure
final class ReplicasPlanner {
  /** A surplus stands that long before anything is removed. */
  static final Duration SURPLUS_STANDS = Duration.ofSeconds(1);

  /** So long at most a surplus waits for the marks that its demand reckons with (SD11). */
  static final Duration MARKS_COME = Duration.ofSeconds(30);

  /** No event tells when a reserved place is released, so the set is reconciled that soon. */
  static final Duration RESERVED_PLACES = Duration.ofSeconds(1);

  private final ReplicasInput input;
  private final Instant now;
  private final int live;

  /** When the plan would change; past instants do not matter. */
  private final List<Instant> changes = new ArrayList<>();

  private ReplicasPlanner(ReplicasInput input, Instant now) {
    this.input = input;
    this.now = now;
    this.live = (int) input.runners().stream().filter(this::isLive).count();
  }

  /** The plan of this moment. */
  static ReplicasPlan plan(ReplicasInput input, Instant now) {
    return new ReplicasPlanner(input, now).plan();
  }

  private ReplicasPlan plan() {
    addEnds();
    var rollout = RolloutPlanner.plan(rolloutInput(), now);
    int create = create(input.replicas() + rollout.surge() - live);
    var since = surplusSince(surplus(live - rollout.surge()));
    var removal = since == null ? null : surplusRemoval(rollout, since);
    if (removal == null) {
      removal = allowed(CordonRetirement.plan(removalInput(input.runners().size()), now));
    }
    if (removal == null && since == null) {
      removal = allowed(rollout);
    }
    if (removal == null) {
      removal = allowed(FormerScaleSet.plan(input.runners(), now));
    }
    if (removal == null) {
      removal = allowed(OverdueExit.plan(input.runners(), input.weighed(), now));
    }
    return new ReplicasPlan(
        new Provisioning(create, Provisioning.demanded(input.demand(), live)),
        input.runners().stream().filter(this::mayBeDeleted).toList(),
        removal,
        counts(),
        since,
        RequeueTime.firstAfter(now, changes.stream().filter(Instant.MAX::isAfter)));
  }

  private boolean isLive(RunnerView runner) {
    return runner.isLive(input.demandMessageId(), now);
  }

  /** How many of the missing runners are made now; reserved places stay empty. */
  private int create(int missing) {
    int allowed = Math.clamp(missing, 0, mayStart(missing));
    int reserved = input.creation().reservedPlaces();
    if (allowed > 0 && reserved > 0) {
      changes.add(now.plus(RESERVED_PLACES));
    }
    return Math.max(0, allowed - reserved);
  }

  /** While starts fail, only a few runners are made at a time, until one of them starts. */
  private int mayStart(int missing) {
    var backoff = input.creation().backoff();
    if (input.creation().held() || missing <= 0) {
      return 0;
    }
    if (!backoff.isOpen(now)) {
      changes.add(backoff.notBefore());
      return 0;
    }
    if (!backoff.isProbing(now)) {
      return missing;
    }
    int trying = (int) input.runners().stream().filter(this::isTrying).count();
    int probes = Math.max(0, CreationBackoff.PROBES - trying);
    if (probes < missing) {
      changes.add(backoff.forgottenAt());
    }
    return probes;
  }

  private boolean isTrying(RunnerView runner) {
    return !runner.older()
        && runner.phase() == RunnerPhase.PENDING
        && !runner.podMade()
        && isLive(runner);
  }

  /**
   * How many runners are too many. Unknown demand makes no surplus. Demand is never taken below the
   * runners marked busy (DM8). These are counted here, at the moment of the plan, and for removal
   * only: a count of another moment would bring back runners whose jobs just ended (docs/adr/0004).
   */
  private int surplus(int present) {
    var demand = input.demand();
    if (demand == null || demand.assigned() == null) {
      return 0;
    }
    int running = (int) input.runners().stream().filter(RunnerView::isRunningJob).count();
    int warm = Math.max(0, input.replicas() - demand.assigned());
    return Math.max(0, present - Math.max(input.replicas(), running + warm));
  }

  private @Nullable Instant surplusSince(int surplus) {
    if (surplus == 0) {
      return null;
    }
    var before = input.removal().surplusSince();
    return before == null ? now : before;
  }

  private @Nullable RemovalPlan surplusRemoval(RolloutPlan rollout, Instant since) {
    var stands = since.plus(SURPLUS_STANDS);
    if (now.isBefore(stands)) {
      changes.add(stands);
      return null;
    }
    var marksAwaited = marksAwaitedUntil();
    if (marksAwaited != null) {
      changes.add(marksAwaited); // the marks trigger a reconcile, too
      return null;
    }
    if (!mayRemove()) {
      return null;
    }
    return allowed(RemovalPlanner.plan(removalInput(surplus(live - rollout.surge())), now));
  }

  /**
   * Until when the runners are not counted against the demand, since marks that it reckons with are
   * not in the cache yet; null for no such time. The status of the set never tells of an older
   * demand than {@code spec.replicas} follows from, so that the marks of that one are awaited, too.
   * A clock that is far from the listener's ends the wait.
   */
  private @Nullable Instant marksAwaitedUntil() {
    var demand = input.demand();
    if (demand == null
        || demand.marksVersion() == null
        || demand.observedAt() == null
        || input.removal().delivered() >= demand.marksVersion()) {
      return null;
    }
    var age = Duration.between(demand.observedAt(), now).abs();
    return age.compareTo(MARKS_COME) < 0 ? demand.observedAt().plus(MARKS_COME) : null;
  }

  private RemovalInput removalInput(int surplus) {
    return new RemovalInput(
        input.runners(),
        surplus,
        input.demand(),
        input.removal().removedSinceObserved(),
        input.removal().protectionWindow());
  }

  /** Runners of an older revision are replaced only while no runner is too many. */
  private @Nullable RemovalPlan allowed(RolloutPlan rollout) {
    rollout.requeue().toOptional().ifPresent(changes::add);
    return rollout.removal() == null ? null : allowed(rollout.removal());
  }

  /** The plan, if it has candidates and a pass may begin. */
  private @Nullable RemovalPlan allowed(RemovalPlan plan) {
    plan.requeue().toOptional().ifPresent(changes::add);
    return !plan.candidates().isEmpty() && mayRemove() ? plan : null;
  }

  /** One pass at a time, and none before the budget of refusals is open again. */
  private boolean mayRemove() {
    var budget = input.removal().budget();
    if (!budget.isOpen(now)) {
      changes.add(budget.notBefore());
      return false;
    }
    return !input.removal().passRunning(); // the end of that pass triggers a reconcile
  }

  private RolloutInput rolloutInput() {
    var backoff = input.creation().backoff();
    return new RolloutInput(
        input.runners(),
        input.target(),
        input.creation().held() ? Instant.MAX : backoff.notBefore(),
        backoff.failures() == 0 ? null : backoff.notBefore().plus(FailingCondition.STANDS),
        input.removal().removedSinceObserved(),
        input.removal().protectionWindow());
  }

  /**
   * Whether the resource of a runner is deleted: of one that only the resource is left of, or of
   * one that has ended. An ended runner is deleted once it is released. An outdated runner stays
   * while creation is held, as the proof; a runner that a rule of retention keeps is left to the
   * cleanup.
   */
  private boolean mayBeDeleted(RunnerView runner) {
    if (runner.terminating() || !runner.mayBeAsked(now)) {
      return false; // or its deletion failed
    }
    if (runner.resourceLeft() && !runner.isEnded()) {
      return !runner.busy();
    }
    if (runner.kept() || (runner.askedToGo() && !runner.resourceLeft()) || !runner.isEnded()) {
      return false;
    }
    boolean released = runner.isReleased(input.demandMessageId(), now);
    return switch (runner.phase()) {
      case OUTDATED -> !input.creation().held();
      case FAILED -> !isLive(runner);
      // without mark and completion its own reconciler says first what it was: ExitedWithoutJob
      case PENDING, RUNNING -> (runner.busy() || runner.completedIn() != null) && released;
      case SUCCEEDED -> released;
    };
  }

  /** When an ended or a terminating runner stops being live, or may be deleted again. */
  private void addEnds() {
    for (var runner : input.runners()) {
      var endedAt = runner.endedAt();
      if (endedAt != null && isLive(runner)) {
        changes.add(endedAt.plus(Times.SETTLE));
      }
      if ((endedAt != null || runner.resourceLeft()) && runner.removalRetryAt() != null) {
        changes.add(runner.removalRetryAt());
      }
      boolean liveAsSuspect = runner.terminating() || runner.ofAnotherScaleSet();
      if (liveAsSuspect && runner.busySuspectUntil() != null) {
        changes.add(runner.busySuspectUntil());
      }
    }
  }

  private RunnerCounts counts() {
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
      } else if (!runner.resourceLeft()
          && (runner.isWithoutJob()
              || (runner.phase() == RunnerPhase.PENDING && !runner.terminating()))) {
        pending++; // a runner starts until the service is known to have it (RN7)
      }
    }
    return new RunnerCounts(input.replicas(), live, pending, idle, busy, finished, 0);
  }
}

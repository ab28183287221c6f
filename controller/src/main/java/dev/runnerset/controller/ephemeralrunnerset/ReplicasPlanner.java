package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Pure;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.rollout.RolloutInput;
import dev.runnerset.controller.rollout.RolloutPlanner;
import dev.runnerset.controller.timing.Times;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.crds.RunnerPhase;
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
  private final ReplicasInput input;
  private final Instant now;
  private final int live;

  /** When the plan would change; past instants do not matter. */
  private final List<Instant> changes = new ArrayList<>();

  private boolean sweepOver;

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
    int surplus = surplus(live - rollout.surge() - going());
    var since = surplusSince(surplus);
    var removal = removal(new RemovalRules.Moment(input, rollout, surplus, since, now));
    return new ReplicasPlan(
        new Provisioning(create, Provisioning.demanded(input.demand(), live)),
        input.runners().stream().filter(this::mayBeDeleted).toList(),
        removal,
        sweepOver,
        counts(),
        since,
        RequeueTime.firstAfter(now, changes.stream().filter(Instant.MAX::isAfter)));
  }

  /** What the first rule removes that has a runner to remove; null if none has or may. */
  private @Nullable RemovalPlan removal(RemovalRules.Moment moment) {
    for (var rule : RemovalRules.IN_ORDER) {
      var plan = rule.plan(moment);
      plan.requeue().toOptional().ifPresent(changes::add);
      boolean removes = !plan.candidates().isEmpty() && plan.wanted() > 0;
      if (removes && mayRemove()) {
        return plan;
      }
      var sweep = input.removal().sweep();
      sweepOver |=
          plan.reason() == RemovalReason.AGE && sweep != null && !removes && sweep.underWay() == 0;
    }
    return null;
  }

  /** Live runners that are being removed: none of the others goes in their place (SD10). */
  private int going() {
    return (int)
        input.runners().stream()
            .filter(r -> r.removal().underWay() && !r.askedToGo() && isLive(r))
            .count();
  }

  private boolean isLive(RunnerView runner) {
    return runner.isLive(input.demandMessageId(), now);
  }

  /** How many of the missing runners are made now; reserved places stay empty. */
  private int create(int missing) {
    int allowed = Math.clamp(missing, 0, mayStart(missing));
    return Math.max(0, allowed - input.creation().reservedPlaces());
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

  /** Whether one more removal may begin; the end of another one triggers a reconcile. */
  private boolean mayRemove() {
    if (input.removal().free() == 0 && input.removal().freeAt() != null) {
      changes.add(input.removal().freeAt());
    }
    return input.removal().free() > 0;
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

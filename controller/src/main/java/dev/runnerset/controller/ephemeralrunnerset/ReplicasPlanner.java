package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Pure;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalRule;
import dev.runnerset.controller.removal.RemovalRule.Surplus;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.controller.scaling.CreationBackoff;
import dev.runnerset.controller.timing.Times;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.crds.RunnerPhase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides how many runners of a set are made, which ended ones are deleted, and which are removed.
 * Nothing is changed after the plan.
 */
@Pure
final class ReplicasPlanner {
  private final SetMoment moment;
  private final List<RemovalRule> rules;
  private final Instant now;
  private final int live;

  /** When the plan would change; past instants do not matter. */
  private final List<Instant> changes = new ArrayList<>();

  private ReplicasPlanner(SetMoment moment, List<RemovalRule> rules) {
    this.moment = moment;
    this.rules = rules;
    this.now = moment.now();
    this.live = moment.live();
  }

  /**
   * The plan of that moment.
   *
   * @param rules in their order
   */
  static ReplicasPlan plan(SetMoment moment, List<RemovalRule> rules) {
    return new ReplicasPlanner(moment, rules).plan();
  }

  private ReplicasPlan plan() {
    addEnds();
    int surge = rules.stream().mapToInt(rule -> rule.surge(moment)).sum();
    int create = create(moment.replicas() + surge - live);
    var surplus = surplus(live - surge - going());
    var removal = removal(surplus);
    return new ReplicasPlan(
        new Provisioning(create, Provisioning.demanded(moment.demand(), live)),
        moment.runners().stream().filter(this::mayBeDeleted).toList(),
        removal,
        counts(),
        surplus.since(),
        RequeueTime.firstAfter(now, changes.stream().filter(Instant.MAX::isAfter)));
  }

  /** What the first rule removes that has a runner to remove; null if none has or may. */
  private @Nullable RemovalPlan removal(Surplus surplus) {
    for (var rule : rules) {
      var plan = rule.plan(moment, surplus);
      plan.requeue().toOptional().ifPresent(changes::add);
      if (!plan.candidates().isEmpty() && plan.wanted() > 0 && mayRemove()) {
        return plan;
      }
    }
    return null;
  }

  /** Live runners that are being removed: none of the others goes in their place (SD10). */
  private int going() {
    return (int)
        moment.runners().stream()
            .filter(r -> r.removal().underWay() && !r.askedToGo() && moment.isLive(r))
            .count();
  }

  /** How many of the missing runners are made now. */
  private int create(int missing) {
    int allowed = Math.clamp(missing, 0, mayStart(missing));
    return Math.max(0, allowed - rules.stream().mapToInt(rule -> rule.emptyPlaces(moment)).sum());
  }

  /** While starts fail, only a few runners are made at a time, until one of them starts. */
  private int mayStart(int missing) {
    var backoff = moment.backoff();
    if (moment.held() || missing <= 0) {
      return 0;
    }
    if (!backoff.isOpen(now)) {
      changes.add(backoff.notBefore());
      return 0;
    }
    if (!backoff.isProbing(now)) {
      return missing;
    }
    int trying = (int) moment.runners().stream().filter(this::isTrying).count();
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
        && moment.isLive(runner);
  }

  /**
   * How many runners are too many. Unknown demand makes no surplus. Demand is never taken below the
   * runners marked busy (DM8). These are counted here, at the moment of the plan, and for removal
   * only: a count of another moment would bring back runners whose jobs just ended (docs/adr/0004).
   */
  private Surplus surplus(int present) {
    var demand = moment.demand();
    if (demand == null) {
      return new Surplus(0, null);
    }
    int running = (int) moment.runners().stream().filter(RunnerView::isRunningJob).count();
    int warm = Math.max(0, moment.replicas() - Objects.requireNonNull(demand.assigned()));
    int count = Math.max(0, present - Math.max(moment.replicas(), running + warm));
    return new Surplus(
        count, count == 0 ? null : Objects.requireNonNullElse(moment.surplusSince(), now));
  }

  /** Whether one more removal may begin; the end of another one triggers a reconcile. */
  private boolean mayRemove() {
    if (moment.free() == 0 && moment.freeAt() != null) {
      changes.add(moment.freeAt());
    }
    return moment.free() > 0;
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
    boolean released = runner.isReleased(moment.demandMessageId(), now);
    return switch (runner.phase()) {
      case OUTDATED -> !moment.held();
      case FAILED -> !moment.isLive(runner);
      // without mark and completion its own reconciler says first what it was: ExitedWithoutJob
      case PENDING, RUNNING -> (runner.busy() || runner.completedIn() != null) && released;
      case SUCCEEDED -> released;
    };
  }

  /** When an ended or a terminating runner stops being live, or may be deleted again. */
  private void addEnds() {
    for (var runner : moment.runners()) {
      var endedAt = runner.endedAt();
      if (endedAt != null && moment.isLive(runner)) {
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
    for (var runner : moment.runners()) {
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
    return new RunnerCounts(moment.replicas(), live, pending, idle, busy, finished, 0);
  }
}

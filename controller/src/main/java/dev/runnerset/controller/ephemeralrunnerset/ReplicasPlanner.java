package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Pure;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.removal.Group;
import dev.runnerset.controller.removal.Now;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalRule;
import dev.runnerset.controller.removal.RemovalRule.Surplus;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.controller.scaling.CreationBackoff;
import dev.runnerset.controller.scaling.DesiredRunners;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.crds.RunnerPhase;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides how many runners of a set are made, which ended ones are deleted, and which are removed.
 * Nothing is changed after the plan.
 */
@Pure
final class ReplicasPlanner {
  /** In one pass, since meanwhile no end and no demand is handled (NM4). */
  static final int MOST_MADE = 150;

  /** Those whose resource is deleted now, but {@link #isProof} of some of them. */
  private static final Group TO_DELETE = Group.at(ReplicasPlanner::mayBeDeleted);

  /** Live runners that are being removed: none of the others goes in their place (SD10). */
  private static final Group GOING =
      Group.at((r, now) -> r.removal().underWay() && !r.askedToGo() && r.isLive(now));

  private static final Group TRYING =
      Group.at((r, now) ->
          !r.older() && r.phase() == RunnerPhase.PENDING && !r.podMade() && r.isLive(now));

  private static final Group RUNNING_JOB = Group.of(RunnerView::isRunningJob);
  private static final Group FINISHED = Group.of(ReplicasPlanner::isFinished);
  private static final Group IDLE =
      Group.of(r -> !isFinished(r) && !r.isRunningJob() && r.isIdle());

  /** A runner starts until the service is known to have it (RN7). */
  private static final Group STARTING =
      Group.of(r ->
          !isFinished(r)
              && !r.isRunningJob()
              && !r.isIdle()
              && !r.removal().resourceLeft()
              && (r.isWithoutJob() || (r.phase() == RunnerPhase.PENDING && !r.terminating())));

  private final SetMoment moment;
  private final List<RemovalRule> rules;
  private final Now now;
  private final int live;

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
    int surge = rules.stream().mapToInt(rule -> rule.surge(moment)).sum();
    int create = Math.min(create(moment.replicas() + surge - live), MOST_MADE);
    var surplus = surplus(live - surge - moment.count(GOING));
    var finished = moment.in(TO_DELETE).filter(r -> !isProof(r)).toList();
    var removal = removal(surplus);
    return new ReplicasPlan(
        new Provisioning(create, Provisioning.demanded(moment.demand(), live)),
        finished,
        removal,
        counts(),
        surplus.since(),
        now.next());
  }

  /** What the first rule removes that has a runner to remove; null if none has or may. */
  private @Nullable RemovalPlan removal(Surplus surplus) {
    for (var rule : rules) {
      var plan = rule.plan(moment, surplus);
      if (!plan.candidates().isEmpty() && plan.wanted() > 0 && mayRemove()) {
        return plan;
      }
    }
    return null;
  }

  /** How many of the missing runners are made now. */
  private int create(int missing) {
    int allowed = Math.clamp(missing, 0, Math.min(mayStart(missing), startable()));
    return Math.max(0, allowed - rules.stream().mapToInt(rule -> rule.emptyPlaces(moment)).sum());
  }

  /** Runners that the nodes would not take are not made, whatever is assigned (DM15). */
  private int startable() {
    var startable = moment.set().getSpec().startable();
    return startable == null ? Integer.MAX_VALUE : Math.max(0, startable - live);
  }

  /** While starts fail, only a few runners are made at a time, until one of them starts. */
  private int mayStart(int missing) {
    var backoff = moment.backoff();
    if (moment.held() || missing <= 0 || now.isBefore(backoff.notBefore())) {
      return 0;
    }
    if (!backoff.probing()) {
      return missing;
    }
    int probes = Math.max(0, CreationBackoff.PROBES - moment.count(TRYING));
    return probes < missing && now.isBefore(backoff.forgottenAt()) ? probes : missing;
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
    int warm = Math.max(0, moment.replicas() - Objects.requireNonNull(demand.assigned()));
    int wanted = Math.max(moment.replicas(), moment.count(RUNNING_JOB) + warm);
    int count = Math.max(0, present - wanted);
    if (count == 0) {
      return new Surplus(0, null);
    }
    var since = Objects.requireNonNullElse(moment.surplusSince(), now.instant());
    return new Surplus(count - Math.min(count, staying(since)), since);
  }

  /** How many runners are too many for the terms alone, and stay for a while all the same. */
  private int staying(Instant since) {
    var set = moment.set();
    boolean stay = Boolean.TRUE.equals(set.getSpec().idleStay());
    int beyond = stay ? DesiredRunners.withoutTerms(set) - moment.replicas() : 0;
    return beyond > 0 && !now.isPast(since, EphemeralRunnerSetTimes.IDLE_STAYS) ? beyond : 0;
  }

  /** Whether one more removal may begin; the end of another one triggers a reconcile. */
  private boolean mayRemove() {
    if (moment.free() == 0) {
      now.note(RequeueTime.at(moment.freeAt()));
    }
    return moment.free() > 0;
  }

  /**
   * Whether the resource of a runner is deleted: of one that only the resource is left of, or of
   * one that has ended. An ended runner is deleted once it is released; a runner that a rule of
   * retention keeps is left to the cleanup.
   */
  private static boolean mayBeDeleted(RunnerView runner, Now now) {
    var removal = runner.removal();
    if (runner.terminating() || !(runner.isEnded() || removal.resourceLeft())) {
      return false;
    }
    if (!runner.mayBeAsked(now)) {
      return false; // its deletion failed
    }
    if (!runner.isEnded()) {
      return !runner.busy();
    }
    if (runner.kept() || (removal.askedToGo() && !removal.resourceLeft())) {
      return false;
    }
    return switch (runner.phase()) {
      case OUTDATED -> true;
      case FAILED -> !runner.isLive(now);
      // without mark and completion its own reconciler says first what it was: ExitedWithoutJob
      case PENDING, RUNNING ->
          (runner.busy() || runner.completedIn() != null) && runner.isReleased(now);
      case SUCCEEDED -> runner.isReleased(now);
    };
  }

  /** An outdated runner stays while creation is held, as the proof. */
  private boolean isProof(RunnerView runner) {
    return moment.held() && runner.phase() == RunnerPhase.OUTDATED;
  }

  private static boolean isFinished(RunnerView runner) {
    return runner.isEnded() || runner.isExiting();
  }

  private RunnerCounts counts() {
    return new RunnerCounts(
        moment.replicas(),
        live,
        moment.count(STARTING),
        moment.count(IDLE),
        moment.count(RUNNING_JOB),
        moment.count(FINISHED),
        0);
  }
}

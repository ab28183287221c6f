package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Pure;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.gc.AgeSweep;
import dev.runnerset.controller.gc.IdleAgePlanner;
import dev.runnerset.controller.removal.FormerScaleSet;
import dev.runnerset.controller.removal.OverdueExit;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalPlanner;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.Retirement;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.rollout.RolloutPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which runners of a set go. The first one that has a runner to remove has its turn;
 * after each answer of the service all of them plan again, so that no plan is older than the last
 * answer.
 */
@Pure
final class RemovalRules {
  /** A surplus stands that long before anything is removed. */
  static final Duration SURPLUS_STANDS = Duration.ofSeconds(1);

  /** So long at most a surplus waits for the marks that its demand reckons with (SD11). */
  static final Duration MARKS_COME = Duration.ofSeconds(30);

  /** One of the rules. */
  @FunctionalInterface
  interface Rule {
    /**
     * The runners that go by it now.
     *
     * @return candidates in their order, how many of them at most, why, and when the rule would
     *     choose others without an event
     */
    RemovalPlan plan(Moment moment);
  }

  /** The rules in their order. */
  static final List<Rule> IN_ORDER =
      List.of(
          RemovalRules::surplus, // SD1 to SD4: more runners are live than wanted
          RemovalRules::onCordonedNodes, // SD10: a drain waits for them
          RemovalRules::retired, // SD10: a person waits for them
          RemovalRules::olderRevision, // RV2: only while no runner is too many
          RemovalRules::idleForTooLong, // AC2: only in a sweep, within its bound
          RemovalRules::ofFormerScaleSet, // no job comes to them, and they count as nothing
          RemovalRules::exitOverdue); // they count as nothing

  private RemovalRules() {}

  /**
   * What they plan from.
   *
   * @param rollout whom a rollout would replace
   * @param surplus how many runners are too many
   * @param surplusSince since when there are too many; null while there are not
   */
  record Moment(
      ReplicasInput input,
      RolloutPlan rollout,
      int surplus,
      @Nullable Instant surplusSince,
      Instant now) {
    private RemovalPlan among(int wanted) {
      return RemovalPlanner.plan(input.removing(wanted), now);
    }

    private RemovalPlan all(Predicate<RunnerView> kind, RemovalReason reason) {
      return Retirement.plan(kind, reason, input.removing(input.runners().size()), now);
    }
  }

  private static RemovalPlan surplus(Moment moment) {
    var since = moment.surplusSince();
    if (since == null) {
      return none(RemovalReason.SCALE_DOWN, null);
    }
    var stands = since.plus(SURPLUS_STANDS);
    var waits = moment.now().isBefore(stands) ? stands : marksAwaitedUntil(moment);
    return waits == null
        ? moment.among(moment.surplus())
        : none(RemovalReason.SCALE_DOWN, waits); // the marks trigger a reconcile, too
  }

  /**
   * Until when the runners are not counted against the demand, since marks that it reckons with are
   * not in the cache yet; null for no such time. The status of the set never tells of an older
   * demand than {@code spec.replicas} follows from, so that the marks of that one are awaited, too.
   * A clock that is far from the listener's ends the wait.
   */
  private static @Nullable Instant marksAwaitedUntil(Moment moment) {
    var demand = moment.input().demand();
    if (demand == null
        || demand.marksVersion() == null
        || demand.observedAt() == null
        || moment.input().removal().delivered() >= demand.marksVersion()) {
      return null;
    }
    var age = Duration.between(demand.observedAt(), moment.now()).abs();
    return age.compareTo(MARKS_COME) < 0 ? demand.observedAt().plus(MARKS_COME) : null;
  }

  private static RemovalPlan onCordonedNodes(Moment moment) {
    return moment.all(RunnerView::onCordonedNode, RemovalReason.CORDONED);
  }

  private static RemovalPlan retired(Moment moment) {
    return moment.all(RunnerView::retired, RemovalReason.RETIRED);
  }

  private static RemovalPlan olderRevision(Moment moment) {
    return moment.surplusSince() == null
        ? moment.rollout().removal()
        : none(RemovalReason.REVISION, null);
  }

  private static RemovalPlan idleForTooLong(Moment moment) {
    var input = moment.input();
    AgeSweep sweep = input.removal().sweep();
    return sweep == null
        ? none(RemovalReason.AGE, null)
        : IdleAgePlanner.plan(sweep, input.runners(), input.demand(), moment.now());
  }

  private static RemovalPlan ofFormerScaleSet(Moment moment) {
    return FormerScaleSet.plan(moment.input().runners(), moment.now());
  }

  private static RemovalPlan exitOverdue(Moment moment) {
    var input = moment.input();
    return OverdueExit.plan(input.runners(), input.settledUpTo(), moment.now());
  }

  private static RemovalPlan none(RemovalReason reason, @Nullable Instant requeue) {
    return new RemovalPlan(List.of(), 0, reason, RequeueTime.at(requeue));
  }
}

package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import java.util.function.BiFunction;

/** The rules of removal that no feature brings. */
@Pure
public enum CoreRule implements RemovalRule {
  /** More runners are live than wanted (SD1 to SD4). */
  SURPLUS(RemovalReason.SCALE_DOWN, CoreRule::surplus),
  /** A person waits for them (SD10). */
  RETIRED(
      RemovalReason.RETIRED,
      (moment, surplus) ->
          RemovalPlanner.retire(Candidates.RETIRED, RemovalReason.RETIRED, moment)),
  /**
   * They are registered for a scale set that their set no longer has, as after somebody deleted it
   * at the service. No job of the set comes to such a runner, so it counts as nothing unless it
   * runs a job, and all of them are removed.
   */
  FORMER_SCALE_SET(
      RemovalReason.FORMER_SCALE_SET,
      (moment, surplus) ->
          RemovalPlan.ofAll(
              moment.in(Candidates.OF_FORMER_SCALE_SET), RemovalReason.FORMER_SCALE_SET)),
  /** Their job is over, and their container does not end; they count as nothing. */
  EXIT_OVERDUE(RemovalReason.EXIT_OVERDUE, (moment, surplus) -> OverdueExit.plan(moment));

  private final RemovalReason reason;
  private final BiFunction<SetMoment, Surplus, RemovalPlan> choice;

  CoreRule(RemovalReason reason, BiFunction<SetMoment, Surplus, RemovalPlan> choice) {
    this.reason = reason;
    this.choice = choice;
  }

  @Override
  public RemovalReason reason() {
    return reason;
  }

  @Override
  public RemovalPlan plan(SetMoment moment, Surplus surplus) {
    return choice.apply(moment, surplus);
  }

  private static RemovalPlan surplus(SetMoment moment, Surplus surplus) {
    boolean stands = moment.now().isPast(surplus.since(), RemovalTimes.SURPLUS_STANDS);
    return stands && !awaitsMarks(moment)
        ? RemovalPlanner.plan(moment, surplus.count())
        : RemovalPlan.none(RemovalReason.SCALE_DOWN);
  }

  /**
   * Whether the runners are not counted against the demand yet, since marks that it reckons with
   * are not in the cache; those trigger a reconcile, too. A clock that is far from the listener's
   * ends the wait.
   */
  private static boolean awaitsMarks(SetMoment moment) {
    var demand = moment.demand();
    return demand != null
        && demand.marksVersion() != null
        && demand.observedAt() != null
        && moment.delivered() < demand.marksVersion()
        && moment.now().instant().isAfter(demand.observedAt().minus(RemovalTimes.MARKS_COME))
        && moment.now().isBefore(demand.observedAt().plus(RemovalTimes.MARKS_COME));
  }
}

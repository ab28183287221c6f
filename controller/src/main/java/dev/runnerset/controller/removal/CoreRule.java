package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import dev.runnerset.base.RequeueTime;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rules of removal that no feature brings. */
@Pure
public enum CoreRule implements RemovalRule {
  /** More runners are live than wanted (SD1 to SD4). */
  SURPLUS(RemovalReason.SCALE_DOWN, CoreRule::surplus),
  /** A person waits for them (SD10). */
  RETIRED(
      RemovalReason.RETIRED,
      (moment, surplus) ->
          RemovalPlanner.retire(RunnerView::retired, RemovalReason.RETIRED, moment)),
  /**
   * They are registered for a scale set that their set no longer has, as after somebody deleted it
   * at the service. No job of the set comes to such a runner, so it counts as nothing unless it
   * runs a job, and all of them are removed.
   */
  FORMER_SCALE_SET(RemovalReason.FORMER_SCALE_SET, (moment, surplus) -> ofFormerScaleSet(moment)),
  /** Their job is over, and their container does not end; they count as nothing. */
  EXIT_OVERDUE(RemovalReason.EXIT_OVERDUE, (moment, surplus) -> OverdueExit.plan(moment));

  /** A surplus stands that long before anything is removed. */
  public static final Duration SURPLUS_STANDS = Duration.ofSeconds(1);

  /** So long at most a surplus waits for the marks that its demand reckons with (SD11). */
  public static final Duration MARKS_COME = Duration.ofSeconds(30);

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
    if (surplus.since() == null) {
      return RemovalPlan.none(RemovalReason.SCALE_DOWN, null);
    }
    var stands = surplus.since().plus(SURPLUS_STANDS);
    var waits = moment.now().isBefore(stands) ? stands : marksAwaitedUntil(moment);
    return waits == null
        ? RemovalPlanner.plan(moment, surplus.count())
        : RemovalPlan.none(RemovalReason.SCALE_DOWN, waits); // the marks trigger a reconcile, too
  }

  /**
   * Until when the runners are not counted against the demand, since marks that it reckons with are
   * not in the cache yet; null for no such time. The status of the set never tells of an older
   * demand than {@code spec.replicas} follows from, so that the marks of that one are awaited, too.
   * A clock that is far from the listener's ends the wait.
   */
  private static @Nullable Instant marksAwaitedUntil(SetMoment moment) {
    var demand = moment.demand();
    if (demand == null
        || demand.marksVersion() == null
        || demand.observedAt() == null
        || moment.delivered() >= demand.marksVersion()) {
      return null;
    }
    var age = Duration.between(demand.observedAt(), moment.now()).abs();
    return age.compareTo(MARKS_COME) < 0 ? demand.observedAt().plus(MARKS_COME) : null;
  }

  private static RemovalPlan ofFormerScaleSet(SetMoment moment) {
    var those = moment.runners().stream().filter(RunnerView::ofAnotherScaleSet).toList();
    var retries = those.stream().flatMap(runner -> Stream.ofNullable(runner.removalRetryAt()));
    return RemovalPlan.ofAll(
        those.stream()
            .filter(r -> RemovalPlanner.isCandidate(r, moment.now()))
            .sorted(RemovalOrder.FIRST_TO_GO)
            .toList(),
        RemovalReason.FORMER_SCALE_SET,
        RequeueTime.firstAfter(moment.now(), retries));
  }
}

package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.Demand;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Chooses which surplus runners go, and in which order (SD1 to SD4). */
@Pure
public final class RemovalPlanner {
  private static final Group MARKED = Group.of(r -> r.isRunningJob() && !r.ofAnotherScaleSet());

  private RemovalPlanner() {}

  /**
   * The plan; its candidates are empty when nobody may go now.
   *
   * @param wanted how many are to go; positive
   */
  static RemovalPlan plan(SetMoment moment, int wanted) {
    var first = first(Candidates.ALL, runningBound(moment), moment);
    return new RemovalPlan(first, wanted, RemovalReason.SCALE_DOWN);
  }

  /**
   * A plan with all runners that must go whatever the target is, as soon as they have no job
   * (SD10). Such a runner counts as live until the service agreed: then another one is made, and
   * none of the others becomes too many. All that holds for surplus runners holds: who may be about
   * to get a job waits, and the service is asked first.
   */
  public static RemovalPlan retire(Candidates those, RemovalReason reason, SetMoment moment) {
    return moment.hasAny(those.pending()) || moment.hasAny(those.running())
        ? RemovalPlan.ofAll(first(those, runningBound(moment), moment).stream(), reason)
        : RemovalPlan.none(reason);
  }

  /**
   * The first of the candidates in their order. As many of the ready ones as the service counts
   * more busy runners than are marked go last: those that are idle longest, since they are the
   * likeliest.
   *
   * @param bound how many running ones there may be among them
   */
  public static List<RunnerView> first(Candidates those, int bound, SetMoment moment) {
    var likelyBusy = moment.in(Candidates.LIKELY_BUSY).limit(unmarked(moment)).toList();
    var uids = likelyBusy.stream().map(RunnerView::uid).collect(Collectors.toSet());
    int others = moment.count(Candidates.ALL.running()) - likelyBusy.size();
    var running =
        moment
            .in(those.running())
            .filter(r -> !uids.contains(r.uid()))
            .limit(Math.min(bound, RemovalPlan.MOST_NAMED));
    var last =
        likelyBusy.stream()
            .filter(r -> moment.runners().isIn(those.running(), r))
            .sorted(Candidates.FIRST_TO_GO)
            .limit(Math.max(0, bound - others));
    var pending = moment.in(those.pending()).limit(RemovalPlan.MOST_NAMED);
    return Stream.concat(Stream.concat(pending, running).sorted(Candidates.FIRST_TO_GO), last)
        .limit(RemovalPlan.MOST_NAMED)
        .toList();
  }

  /** SD3: how many more busy runners the service counts than are marked. */
  private static int unmarked(SetMoment moment) {
    var demand = moment.demand();
    return demand == null || demand.busy() == null
        ? 0
        : Math.max(0, demand.busy() - moment.count(MARKED));
  }

  /** SD4: how many running runners may be removed; as many as one likes if nothing bounds them. */
  public static int runningBound(SetMoment moment) {
    var demand = moment.demand();
    if (demand == null || demand.idle() == null || demand.observedAt() == null) {
      return Integer.MAX_VALUE;
    }
    var observedAt = demand.observedAt();
    var youngest = moment.fromLast(Candidates.FIRST_STARTED).findFirst();
    boolean afterAll = youngest.stream().allMatch(r -> r.startedBefore(observedAt));
    if (!afterAll || !moment.now().isBefore(observedAt.plus(RemovalTimes.OBSERVATION_AGE))) {
      return Integer.MAX_VALUE;
    }
    int removed = moment.removedSinceObserved();
    return Math.max(0, demand.idle() + comingOnline(demand, observedAt, moment) - removed);
  }

  /**
   * Candidates that the observation may have met before they were online: it counts such a runner
   * as registered, and neither as busy nor as idle.
   */
  private static int comingOnline(Demand demand, Instant observedAt, SetMoment moment) {
    int offline =
        demand.registered() == null || demand.busy() == null
            ? Integer.MAX_VALUE
            : demand.registered() - demand.busy() - Objects.requireNonNull(demand.idle());
    int young =
        (int)
            moment
                .fromLast(Candidates.FIRST_STARTED)
                .takeWhile(
                    r -> !r.startedBefore(observedAt.minus(RemovalTimes.MOST_ARE_ONLINE_AFTER)))
                .limit(Math.max(0, offline))
                .count();
    // those removed since may have been young, too
    return young == 0 ? 0 : Math.min(young + moment.removedSinceObserved(), offline);
  }
}

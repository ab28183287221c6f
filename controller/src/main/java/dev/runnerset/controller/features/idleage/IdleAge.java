package dev.runnerset.controller.features.idleage;

import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.events.SetOfRunner;
import dev.runnerset.controller.memory.Slots;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.removal.Group;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RemovalRule;
import dev.runnerset.controller.removal.RunnerRemover.Outcome;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetStatusBuilder;
import dev.runnerset.crds.condition.EventReason;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Removes runners that are idle for too long (AC2), sweep by sweep: {@link RunnerGc} begins one,
 * and outside of it no runner goes. Thread-safe.
 */
public record IdleAge(Meters meters, Events events) implements RemovalRule {
  static final Slot<IdleAgeState> STATE = new Slot<>(IdleAgeState.NEW);

  /** The runners with a job, by its start. */
  private static final Group STARTED_JOB =
      Group.of(RunnerView::busy).by(Comparator.comparing(IdleAge::startOfJob));

  /** Begins a sweep of a set; one with a removal under way goes on instead. */
  void begin(EphemeralRunnerSet set, Slots slots, AgeSweep sweep) {
    change(set, slots, state -> state.swept(sweep));
  }

  /** Leaves a set out; a sweep of it ends, unless a removal of it is under way. */
  void leaveOut(EphemeralRunnerSet set, Slots slots, boolean limited, boolean releasing) {
    change(set, slots, state -> state.leftOut(limited, releasing));
  }

  @Override
  public RemovalReason reason() {
    return RemovalReason.AGE;
  }

  /**
   * Learns of jobs, finds out how much a sweep may remove that has begun, and ends one that has
   * nothing to remove any more.
   */
  public void follow(SetMoment moment) {
    var written = CollectionState.of(moment.set().statusOrNone());
    var lastJob = moment.fromLast(STARTED_JOB).findFirst().map(IdleAge::startOfJob).orElse(null);
    var demand = moment.demand();
    int assigned = demand == null ? 0 : Objects.requireNonNull(demand.assigned());
    var _ = moment.slots().change(STATE, state -> state.afterJobs(written, lastJob, assigned));
    change(moment.set(), moment.slots(), state -> bounded(state, moment));
  }

  /** A mark without a time counts from when the runner was idle, so that a restart is no news. */
  private static Instant startOfJob(RunnerView runner) {
    var job = runner.resource().statusOrNone().job();
    return job == null || job.startedAt() == null ? runner.waitingSince() : job.startedAt();
  }

  private static IdleAgeState bounded(IdleAgeState state, SetMoment moment) {
    var next =
        state.with(sweep ->
            sweep.left() == null ? sweep.boundedBy(IdleAgePlanner.bound(sweep, moment)) : sweep);
    var plan = plan(next, moment);
    return plan.candidates().isEmpty() || plan.wanted() == 0 ? next.swept(null) : next;
  }

  private static RemovalPlan plan(IdleAgeState state, SetMoment moment) {
    return state.sweep() == null
        ? RemovalPlan.none(RemovalReason.AGE)
        : IdleAgePlanner.plan(state.sweep(), moment);
  }

  /** Changes the state; a set that is collected again and again is counted, and reported (AC10). */
  private void change(EphemeralRunnerSet set, Slots slots, UnaryOperator<IdleAgeState> change) {
    var state = slots.change(STATE, change);
    var ended = state.ended();
    var thrashing =
        ended == null ? null : state.collections().thrashing(ended.limits().minRunners());
    if (ended != null && ended.begun() > 0 && thrashing != null) {
      var key = SetKey.of(set);
      meters.of(key.namespace(), key.name()).count(Meter.RUNNER_GC_THRASH);
      SetOfRunner.of(set)
          .ifPresent(about -> events.warn(about, EventReason.RUNNER_GC_THRASHING, thrashing));
    }
  }

  @Override
  public RemovalPlan plan(SetMoment moment, Surplus surplus) {
    return plan(moment.slots().get(STATE), moment);
  }

  @Override
  public boolean begins(Slots slots, Instant now) {
    var sweep = slots.get(STATE).sweep();
    if (sweep == null || sweep.left() == null) {
      return false; // another one has begun since the plan
    }
    var _ = slots.change(STATE, state -> state.with(each -> each.begin(now)));
    return true;
  }

  @Override
  public void ended(Slots slots, Outcome outcome) {
    var _ = slots.change(STATE, state -> state.with(sweep -> sweep.end(outcome)));
  }

  /** Those that the target reckons with already are no longer left out here. */
  @Override
  public int emptyPlaces(SetMoment moment) {
    int reckoned = Objects.requireNonNullElse(moment.set().statusOrNone().releasedIdle(), 0);
    return Math.max(0, moment.slots().get(STATE).emptyPlaces() - reckoned);
  }

  /** Puts what the last sweep did into the status. */
  void fill(SetMoment moment, EphemeralRunnerSetStatusBuilder status) {
    var done = moment.slots().get(STATE).collections();
    status.releasedIdle(done.releasedIdle()).idleCollections(done.idleCollections());
  }
}

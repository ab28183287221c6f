package dev.runnerset.controller.sweep;

import dev.runnerset.base.Pure;
import java.time.Duration;
import java.time.Instant;

/**
 * Whether a sweep asks the service about a set, and what (RN20). It asks nothing while the counts
 * that are known agree with the resources and are later than the last change of the runners: a set
 * that stands still is asked for once after each time of change, and then no more.
 */
@Pure
final class SweepPlanner {
  /** A start that ended without an answer may be carried out so much later. */
  static final Duration CALM = Duration.ofMinutes(3);

  /** Later counts must say the same: a runner that comes or goes shows here or there first. */
  static final Duration CONFIRMED_AFTER = Duration.ofMinutes(2);

  /** Nobody is looked for by counts that are older. */
  static final Duration FRESH = Duration.ofMinutes(10);

  private SweepPlanner() {}

  /** What to do about a set. */
  enum Step {
    /** Nothing: the counts agree, or it is too early. */
    NOTHING,
    /** Read the service's counts. */
    READ_COUNTS,
    /** Look for registrations without a resource. */
    LOOK_FOR_REGISTRATIONS,
    /** Look for runners without a registration. */
    LOOK_FOR_RUNNERS
  }

  /** What to do now, and what is known after that. */
  record Decision(Step step, SweepState state) {}

  /** What to do about a set with those facts. */
  static Decision decide(SweepFacts facts, SweepState before, Instant now) {
    var counted = facts.counted();
    var changed = facts.changedAt();
    if (counted == null || counted.at().isBefore(changed)) {
      return read(before, changed.plus(CALM).plus(before.jitter()), now);
    }
    if (counted.at().isBefore(before.lookedAt())) {
      return read(before, before.lookedAt().plus(CONFIRMED_AFTER), now);
    }
    boolean agree = facts.excess() == 0 && facts.deficit() == 0;
    var state = before.counted(agree, counted.at());
    if (agree) {
      return new Decision(Step.NOTHING, state);
    }
    var since = state.doubtSince() == null ? counted.at() : state.doubtSince();
    if (counted.at().isBefore(since.plus(CONFIRMED_AFTER))) {
      return read(state, counted.at().plus(CONFIRMED_AFTER), now);
    }
    if (now.isBefore(state.nextLook())) {
      return new Decision(Step.NOTHING, state);
    }
    if (counted.at().isBefore(now.minus(FRESH))) {
      return read(state, now, now);
    }
    return new Decision(
        facts.excess() > 0 ? Step.LOOK_FOR_REGISTRATIONS : Step.LOOK_FOR_RUNNERS, state);
  }

  private static Decision read(SweepState state, Instant due, Instant now) {
    return now.isBefore(due) || now.isBefore(state.nextRead())
        ? new Decision(Step.NOTHING, state)
        : new Decision(Step.READ_COUNTS, state.reading(now));
  }
}

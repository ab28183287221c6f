package dev.runnerset.controller.features.idleage;

import dev.runnerset.base.Pure;
import java.time.Instant;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What age collection remembers of one set. Immutable.
 *
 * @param sweep the one under way; null for none
 * @param counts what it did; a sweep counts when it ends; null until they are restored
 * @param assigned jobs, at the last pass; null before the first
 * @param ended the sweep that this change ended; null for none
 */
@Pure
record IdleAgeState(
    @Nullable AgeSweep sweep,
    @Nullable CollectionState counts,
    @Nullable Integer assigned,
    @Nullable AgeSweep ended) {
  static final IdleAgeState NEW = new IdleAgeState(null, null, null, null);

  /** What age collection did. */
  CollectionState collections() {
    return counts == null ? CollectionState.NONE : counts;
  }

  /** After a change of the sweep under way, if there is one. */
  IdleAgeState with(UnaryOperator<AgeSweep> change) {
    return sweep == null ? this : new IdleAgeState(change.apply(sweep), counts, assigned, null);
  }

  /** After another sweep has begun, null for none; one with a removal under way goes on instead. */
  IdleAgeState swept(@Nullable AgeSweep next) {
    if (sweep == null) {
      return new IdleAgeState(next, counts, assigned, null);
    }
    return sweep.underWay() > 0
        ? with(same -> same)
        : new IdleAgeState(next, collections().after(sweep), assigned, sweep);
  }

  /**
   * Without a sweep: what the last one could not do no longer matters.
   *
   * @param limited whether runners go for their age at all; else nothing was collected
   * @param releasing whether places may stay empty (AC8)
   */
  IdleAgeState leftOut(boolean limited, boolean releasing) {
    var after = swept(null);
    var left = limited ? after.collections().withoutSweep() : CollectionState.NONE;
    var kept = releasing ? left : left.filled();
    return after.counts == null
        ? after
        : new IdleAgeState(after.sweep, kept, assigned, after.ended);
  }

  /**
   * After what a pass sees of jobs, which end what age collection left empty (AC8).
   *
   * @param written what the status says, for a process that knows nothing
   * @param lastJob when the last one started, as the runners say; null for not known
   * @param nowAssigned how many are assigned
   */
  IdleAgeState afterJobs(CollectionState written, @Nullable Instant lastJob, int nowAssigned) {
    var until = (counts == null ? written : counts).untilJob(lastJob);
    boolean more = assigned != null && nowAssigned > assigned;
    return new IdleAgeState(sweep, more ? until.filled() : until, nowAssigned, null);
  }

  /** How many places stay empty now, those of the sweep under way included (AC8). */
  int emptyPlaces() {
    int ofSweep = sweep != null && sweep.limits().releasing() ? sweep.begun() : 0;
    return collections().released() + ofSweep;
  }
}

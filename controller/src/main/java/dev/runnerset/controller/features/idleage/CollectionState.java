package dev.runnerset.controller.features.idleage;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.EphemeralRunnerSetStatus;
import dev.runnerset.crds.IdleCollections;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What age collection did in a set since its last job started. The set's EphemeralRunnerSet says it
 * in its status, so that a new leader knows it. Immutable.
 *
 * @param released places of minRunners that stay empty (AC8)
 * @param collected how many runners were removed (AC10)
 * @param since when the first of those went; null for none
 * @param failed how many runners the last sweep could not remove
 */
@Pure
public record CollectionState(int released, int collected, @Nullable Instant since, int failed) {
  /** Nothing was collected since the last job. */
  public static final CollectionState NONE = new CollectionState(0, 0, null, 0);

  /** How often all warm runners may be collected without a job in between. */
  private static final int ROUNDS = 3;

  /** What the status says; without its beginning no job could end a count, so there is none. */
  public static CollectionState of(EphemeralRunnerSetStatus status) {
    var tally = status.idleCollections();
    int released = orNone(status.releasedIdle());
    if (tally == null) {
      return new CollectionState(released, 0, null, 0);
    }
    int collected = tally.since() == null ? 0 : Math.max(0, tally.count());
    return new CollectionState(released, collected, tally.since(), orNone(tally.failed()));
  }

  private static int orNone(@Nullable Integer count) {
    return count == null ? 0 : Math.max(0, count);
  }

  /** The counts for the status; null for none. */
  public @Nullable IdleCollections idleCollections() {
    return since == null && failed == 0
        ? null
        : new IdleCollections(collected, since, failed == 0 ? null : failed);
  }

  /** The places for the status; null for none. */
  public @Nullable Integer releasedIdle() {
    return released == 0 ? null : released;
  }

  /** After that sweep. */
  CollectionState after(AgeSweep sweep) {
    var first = since == null ? sweep.since() : since;
    return new CollectionState(
        sweep.limits().releasing()
            ? Math.min(released + sweep.begun(), sweep.limits().minRunners())
            : 0,
        collected + sweep.begun(),
        first == null ? null : first.truncatedTo(ChronoUnit.MILLIS),
        sweep.failed());
  }

  /** No sweep comes now: what the last one could not do no longer matters. */
  CollectionState withoutSweep() {
    return new CollectionState(released, collected, since, 0);
  }

  /** More jobs are assigned: no place stays empty. */
  CollectionState filled() {
    return new CollectionState(0, collected, since, failed);
  }

  /** A job that started after the first collection ends the count, and fills the places. */
  CollectionState untilJob(@Nullable Instant lastJob) {
    boolean over = since != null && lastJob != null && !lastJob.isBefore(since);
    return over ? new CollectionState(0, 0, null, failed) : this;
  }

  /** Says that warm runners are collected again and again without a job (AC10); null if not. */
  public @Nullable String thrashing(int minRunners) {
    return collected > ROUNDS * Math.max(1L, minRunners)
        ? collected
            + " runners were collected for their age since the last job: raise"
            + " spec.garbageCollection.maximumIdleAge or --runner-maximum-gc-age, lower"
            + " spec.minRunners, or set spec.garbageCollection.afterwards to Release"
        : null;
  }

  /** Says that the last sweep failed; null if it did not. */
  public @Nullable String failing() {
    return failed == 0
        ? null
        : failed
            + " of the runners that have been idle for too long could not be removed at the"
            + " service, which gave no answer or an error; the next sweep tries again";
  }
}

package dev.runnerset.controller.gc;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.AutoScalingRunnerSetStatus;
import dev.runnerset.crds.IdleCollections;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a set's status remembers of age collection, so that a new leader knows it.
 *
 * @param released places of minRunners that stay empty
 * @param collected runners collected since the last job started
 * @param since when the first of those went; null for none
 */
@Pure
public record CollectionState(int released, int collected, @Nullable Instant since) {
  /** Nothing was collected since the last job. */
  public static final CollectionState NONE = new CollectionState(0, 0, null);

  private static final IdleCollections NO_COLLECTIONS = new IdleCollections(0, null);

  /** How often all warm runners may be collected without a job in between. */
  private static final int ROUNDS = 3;

  /** What the status says; nothing, where somebody wiped it. */
  public static CollectionState of(AutoScalingRunnerSetStatus status) {
    var tally = status.idleCollections();
    if (tally == null || tally.since() == null) {
      tally = NO_COLLECTIONS; // without its beginning, no job could end the count
    }
    var released = status.releasedIdle() == null ? 0 : status.releasedIdle();
    return new CollectionState(Math.max(0, released), Math.max(0, tally.count()), tally.since());
  }

  /**
   * What changes it.
   *
   * @param limited whether runners of the set go for their age at all
   * @param releasing whether places of collected runners stay empty
   * @param pending what sweeps did that the status does not say yet; null for nothing
   * @param jobAssigned whether more jobs are assigned than the status says
   * @param lastJob when the last job started; null for not known
   */
  public record Change(
      boolean limited,
      boolean releasing,
      int minRunners,
      CollectionLedger.@Nullable Pending pending,
      boolean jobAssigned,
      @Nullable Instant lastJob) {}

  /** The state after that. */
  public CollectionState after(Change change) {
    if (!change.limited()) {
      return NONE;
    }
    var reported = untilJob(change.lastJob()).with(change.pending()).untilJob(change.lastJob());
    boolean fill = change.jobAssigned() || !change.releasing();
    return new CollectionState(
        fill ? 0 : Math.min(reported.released, Math.max(0, change.minRunners())),
        reported.collected,
        reported.since);
  }

  /** A job that started after the first collection ends the count, and fills the places. */
  private CollectionState untilJob(@Nullable Instant lastJob) {
    boolean over = since != null && lastJob != null && !lastJob.isBefore(since);
    return over ? NONE : this;
  }

  private CollectionState with(CollectionLedger.@Nullable Pending pending) {
    return pending == null
        ? this
        : new CollectionState(
            released + pending.released(),
            collected + pending.collected(),
            since == null ? pending.since().truncatedTo(ChronoUnit.MILLIS) : since);
  }

  /** Whether warm runners are collected again and again without a job (AC10). */
  public boolean isThrashing(int minRunners) {
    return collected > ROUNDS * Math.max(1L, minRunners);
  }
}

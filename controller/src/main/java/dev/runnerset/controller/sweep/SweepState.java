package dev.runnerset.controller.sweep;

import dev.runnerset.base.Backoff;
import dev.runnerset.base.Pure;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the sweeps remember of one set. Losing it does no harm: a doubt begins again. Immutable.
 *
 * @param jitter so much later than others this set is read after a change
 * @param jitterFor the change that the jitter was drawn for
 * @param doubtSince of when the first of the counts is that do not agree; null while they do
 * @param nextRead the counts are read no earlier
 * @param nextLook the runners behind the counts are looked for no earlier
 * @param lookedAt when they were looked for last
 * @param fruitless how many looks in a row repaired nothing
 */
@Pure
record SweepState(
    Duration jitter,
    Instant jitterFor,
    @Nullable Instant doubtSince,
    Instant nextRead,
    Instant nextLook,
    Instant lookedAt,
    int fruitless) {
  static final SweepState NEW =
      new SweepState(Duration.ZERO, Instant.MIN, null, Instant.MIN, Instant.MIN, Instant.MIN, 0);

  /** GitHub's public API has limits, and what is not found now is mostly not there. */
  private static final Backoff FRUITLESS = Backoff.of(Duration.ofMinutes(10), Duration.ofHours(6));

  /** The service may be asked for the counts again after that, whatever came of it. */
  private static final Duration BETWEEN_READS = Duration.ofMinutes(5);

  /** The same with a jitter that belongs to that change. */
  SweepState withJitter(Duration drawn, Instant change) {
    return new SweepState(drawn, change, null, nextRead, nextLook, lookedAt, fruitless);
  }

  /** The counts of that moment agree, or do not. */
  SweepState counted(boolean agree, Instant at) {
    var since = agree ? null : doubtSince == null ? at : doubtSince;
    return new SweepState(
        jitter, jitterFor, since, nextRead, nextLook, lookedAt, agree ? 0 : fruitless);
  }

  /** The counts are read now. */
  SweepState reading(Instant now) {
    return new SweepState(
        jitter, jitterFor, doubtSince, now.plus(BETWEEN_READS), nextLook, lookedAt, fruitless);
  }

  /** The runners behind the counts were looked for; what was repaired shows in the next counts. */
  SweepState looked(boolean repaired, Instant now) {
    int row = repaired ? 0 : fruitless + 1;
    return new SweepState(
        jitter, jitterFor, null, Instant.MIN, now.plus(FRUITLESS.after(row)), now, row);
  }

  /** Nothing can be looked for with these credentials before that time. */
  SweepState refused(Instant until, Instant now) {
    return new SweepState(jitter, jitterFor, null, until, until, now, fruitless);
  }
}

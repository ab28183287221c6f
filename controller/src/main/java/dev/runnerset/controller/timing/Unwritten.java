package dev.runnerset.controller.timing;

import dev.runnerset.base.RequeueTime;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A value that changes often, and is written when it has stood still (WR7): so a burst of changes
 * costs one write, and none when the value has come back to what it was.
 *
 * @param value as it was compared last with what is written; null if it did not differ
 * @param since when it began to differ
 * @param changedAt when it became this value, or was written
 */
public record Unwritten(@Nullable Object value, Instant since, Instant changedAt) {
  /** A value that is the same for so long stands still while the API server is quick. */
  public static final Duration STILL = Duration.ofSeconds(1);

  /** The longest that a value must be the same. */
  public static final Duration STILL_AT_MOST = Duration.ofSeconds(4);

  /** How much longer a value waits that keeps changing. */
  public static final Duration RESTLESS = Duration.ofSeconds(4);

  private static final int PATCHES = 10;

  /** Nothing waits to be written, and nothing was written lately. */
  public static final Unwritten NONE = new Unwritten(null, Instant.EPOCH, Instant.EPOCH);

  /**
   * How long a value must be the same now: as long as ten patches, so that a slow API server gets
   * few of them beside the writes that start and end runners (docs/adr/0105).
   *
   * @param patchesTake how long a patch takes at present
   */
  public static Duration still(Duration patchesTake) {
    var wanted = patchesTake.multipliedBy(PATCHES);
    if (wanted.compareTo(STILL) < 0) {
      return STILL;
    }
    return wanted.compareTo(STILL_AT_MOST) < 0 ? wanted : STILL_AT_MOST;
  }

  /** It was just written: the next comparison waits, too. */
  public static Unwritten written(Instant now) {
    return new Unwritten(null, now, now);
  }

  /** The value is what is written. */
  public Unwritten equal() {
    return new Unwritten(null, since, changedAt);
  }

  /** The value differs from what is written, and is this now. */
  public Unwritten differs(Object present, Instant now) {
    if (present.equals(value)) {
      return this;
    }
    return new Unwritten(present, value == null ? now : since, now);
  }

  /** Whether it is too early to compare the value again. */
  public boolean waits(Instant now) {
    return Pause.isOn(comparedAt(), STILL, now);
  }

  /** From when on the value is compared again. */
  public Instant comparedAt() {
    return changedAt.plus(STILL);
  }

  /**
   * Whether it is too early to write the value that differs.
   *
   * @param still how long it must be the same
   * @param longest that it waits if it keeps changing
   */
  public boolean holds(Duration still, Duration longest, Instant now) {
    return Pause.isOn(changedAt.plus(still), still, now)
        && Pause.isOn(since.plus(longest), longest, now);
  }

  /** When {@link #holds} with these times ends, if the value does not change before. */
  public Instant dueAt(Duration still, Duration longest) {
    return RequeueTime.earlier(changedAt.plus(still), since.plus(longest));
  }
}

package dev.runnerset.controller.timing;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A value that changes often, and is written when it has stood still (WR7): so a burst of changes
 * costs one write, and none when the value has come back to what it was.
 *
 * @param value as it was compared last with what is written; null if it did not differ
 * @param since when it began to differ
 * @param stillAt when it has stood still, if it is the same then; not compared again before
 */
public record Unwritten(@Nullable Object value, Instant since, Instant stillAt) {
  /** A value that is the same for so long stands still. */
  public static final Duration STILL = Duration.ofSeconds(1);

  /** Nothing waits to be written, and nothing was written lately. */
  public static final Unwritten NONE = new Unwritten(null, Instant.EPOCH, Instant.EPOCH);

  /** It was just written: the next comparison waits, too. */
  public static Unwritten written(Instant now) {
    return new Unwritten(null, now, now.plus(STILL));
  }

  /** The value is what is written. */
  public Unwritten equal() {
    return new Unwritten(null, since, stillAt);
  }

  /** The value differs from what is written, and is this now. */
  public Unwritten differs(Object present, Instant now) {
    if (present.equals(value)) {
      return this;
    }
    return new Unwritten(present, value == null ? now : since, now.plus(STILL));
  }

  /** Whether it is too early to compare the value again. */
  public boolean waits(Instant now) {
    return Pause.isOn(stillAt, STILL, now);
  }

  /**
   * Whether it is too early to write the value that differs.
   *
   * @param longest that a value waits which does not stand still
   */
  public boolean waits(Duration longest, Instant now) {
    return waits(now) && now.isBefore(since.plus(longest));
  }
}

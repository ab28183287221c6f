package dev.runnerset.controller.timing;

import dev.runnerset.base.Detail;
import dev.runnerset.base.RequeueTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Delays that the timer of the framework accepts: whole milliseconds, since it drops the rest; at
 * least one, since 0 means at once and less is refused; at most a year.
 */
public final class TimerDelay {
  /** The longest delay; an instant that is later is far enough away. */
  @Detail private static final Duration LONGEST = Duration.ofDays(365);

  /** The shortest delay: 0 means at once, and less is refused. */
  @Detail private static final Duration SHORTEST = Duration.ofMillis(1);

  private TimerDelay() {}

  /** Never earlier than asked for, but where that is more than a year away. */
  public static Duration of(Duration wait) {
    if (wait.compareTo(SHORTEST) <= 0) {
      return SHORTEST;
    }
    return wait.compareTo(LONGEST) >= 0
        ? LONGEST
        : Duration.ofMillis(wait.plusNanos(999_999).toMillis());
  }

  /** The delay from now to that time; the shortest one if it has come, empty for never. */
  public static Optional<Duration> until(Instant now, RequeueTime at) {
    return at.toOptional().map(instant -> until(now, instant));
  }

  /** The delay from now to that instant; the shortest one if it has come. */
  public static Duration until(Instant now, Instant at) {
    return of(Duration.between(now, at));
  }
}

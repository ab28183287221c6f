package dev.runnerset.controller.retention;

import java.time.Duration;

/**
 * Delays as the framework's timer takes them: whole milliseconds, where it drops the rest, nothing
 * below one, since 0 means at once and less than 0 is refused, and no more than a year. Pure.
 */
final class TimerDelay {
  static final Duration LONGEST = Duration.ofDays(365);
  private static final Duration SHORTEST = Duration.ofMillis(1);

  private TimerDelay() {}

  /** Never earlier than asked for, but where that is more than a year away. */
  static Duration of(Duration wait) {
    if (wait.compareTo(SHORTEST) <= 0) {
      return SHORTEST;
    }
    return wait.compareTo(LONGEST) >= 0
        ? LONGEST
        : Duration.ofMillis(wait.plusNanos(999_999).toMillis());
  }
}

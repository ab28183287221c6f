package dev.runnerset.demo;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Times as the summaries tell them: seconds with three places. */
final class Times {
  private Times() {}

  static double seconds(Duration time) {
    return time.toMillis() / 1000.0;
  }

  /** The time from one moment to the other; null if one of them never came. */
  static @Nullable Double seconds(@Nullable Instant from, @Nullable Instant to) {
    return from == null || to == null ? null : seconds(Duration.between(from, to));
  }

  static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }
}

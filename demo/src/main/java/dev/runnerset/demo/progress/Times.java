package dev.runnerset.demo.progress;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Times as the summaries tell them: seconds with three places. */
public final class Times {
  private Times() {}

  public static double seconds(Duration time) {
    return time.toMillis() / 1000.0;
  }

  /** The time from one moment to the other; null if one of them never came. */
  public static @Nullable Double seconds(@Nullable Instant from, @Nullable Instant to) {
    return from == null || to == null ? null : seconds(Duration.between(from, to));
  }

  public static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }
}

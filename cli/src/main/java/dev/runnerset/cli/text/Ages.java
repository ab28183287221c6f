package dev.runnerset.cli.text;

import dev.runnerset.base.Pure;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Times as people read them. */
@Pure
public final class Ages {
  private Ages() {}

  /** In one or two units, as 45s, 4m, 3h12m, 2d5h; a negative duration is 0s. */
  public static String of(Duration duration) {
    long seconds = Math.max(0, duration.toSeconds());
    if (seconds < 120) {
      return seconds + "s";
    }
    long minutes = seconds / 60;
    if (minutes < 60) {
      return minutes + "m";
    }
    long hours = minutes / 60;
    return hours < 24 ? two(hours, "h", minutes % 60, "m") : two(hours / 24, "d", hours % 24, "h");
  }

  /** The time since then; empty for null. */
  public static String since(@Nullable Instant then, Instant now) {
    return then == null ? "" : of(Duration.between(then, now));
  }

  private static String two(long large, String unit, long small, String smallUnit) {
    return small == 0 ? large + unit : large + unit + small + smallUnit;
  }
}

package dev.runnerset.simulator.kube.table;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/** The short form of a duration that kubectl prints: 5s, 3m20s, 7h, 12d. */
public final class Age {
  private Age() {}

  public static String since(String timestamp, Instant now) {
    try {
      return of(Duration.between(Instant.parse(timestamp), now));
    } catch (DateTimeException e) {
      return "<unknown>";
    }
  }

  public static String of(Duration duration) {
    long seconds = Math.max(0, duration.toSeconds());
    if (seconds < 120) {
      return seconds + "s";
    }
    long minutes = seconds / 60;
    if (minutes < 10) {
      return two(minutes, "m", seconds % 60, "s");
    }
    if (minutes < 180) {
      return minutes + "m";
    }
    long hours = minutes / 60;
    if (hours < 8) {
      return two(hours, "h", minutes % 60, "m");
    }
    if (hours < 48) {
      return hours + "h";
    }
    return hours < 192 ? two(hours / 24, "d", hours % 24, "h") : hours / 24 + "d";
  }

  private static String two(long big, String bigUnit, long small, String smallUnit) {
    return small == 0 ? big + bigUnit : big + bigUnit + small + smallUnit;
  }
}

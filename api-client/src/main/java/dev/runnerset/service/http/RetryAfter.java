package dev.runnerset.service.http;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** The header by which the service says when to come back: seconds or a date (protocol 5.1). */
final class RetryAfter {
  /** Nobody waits longer for a number in a header. */
  private static final Duration LONGEST = Duration.ofDays(1);

  private RetryAfter() {}

  /** Zero for a date in the past; null when absent, negative or neither number nor date. */
  static @Nullable Duration parse(@Nullable String header, Clock clock) {
    if (header == null) {
      return null;
    }
    var text = header.strip();
    var wait =
        text.matches("\\d{1,9}") ? Duration.ofSeconds(Long.parseLong(text)) : date(text, clock);
    return wait == null || wait.compareTo(LONGEST) < 0 ? wait : LONGEST;
  }

  private static @Nullable Duration date(String text, Clock clock) {
    try {
      var until = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      var left = Duration.between(clock.instant(), until);
      return left.isNegative() ? Duration.ZERO : left;
    } catch (DateTimeException e) {
      return null;
    }
  }
}

package dev.runnerset.actions.http;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;
import okhttp3.Headers;
import org.jspecify.annotations.Nullable;

/**
 * How the service says when to come back: seconds or a date (protocol 5.1), or GitHub's own way.
 */
final class RetryAfter {
  /** Nobody waits longer for a number in a header: GitHub's rate limits last an hour at most. */
  static final Duration LONGEST = Duration.ofHours(1);

  /** What GitHub asks of a caller whom it tells no time. */
  private static final Duration UNSTATED = Duration.ofMinutes(1);

  private static final Pattern SAYS_SO =
      Pattern.compile("rate limit|abuse detection", Pattern.CASE_INSENSITIVE);

  private RetryAfter() {}

  /**
   * How long the answer asks to wait, or null. A 403 asks only if it is a rate limit: with {@code
   * Retry-After}, with no request left in its budget, or in so many words (GitHub, "Rate limits for
   * the REST API").
   */
  static @Nullable Duration of(int status, Headers headers, String body, Clock clock) {
    if (status != 403 && status != 429 && status != 503) {
      return null;
    }
    var asked = parse(headers.get("Retry-After"), clock);
    if (asked != null || status == 503) {
      return asked;
    }
    if ("0".equals(headers.get("X-RateLimit-Remaining"))) {
      return untilReset(headers.get("X-RateLimit-Reset"), clock);
    }
    return status == 403 && SAYS_SO.matcher(body).find() ? UNSTATED : null;
  }

  /** The header is in seconds since the epoch. */
  static Duration untilReset(@Nullable String header, Clock clock) {
    if (header == null || !header.strip().matches("\\d{1,11}")) {
      return UNSTATED;
    }
    var reset = Instant.ofEpochSecond(Long.parseLong(header.strip()));
    return bounded(Duration.between(clock.instant(), reset));
  }

  /** Zero for a date in the past; null when absent, negative or neither number nor date. */
  static @Nullable Duration parse(@Nullable String header, Clock clock) {
    if (header == null) {
      return null;
    }
    var text = header.strip();
    var wait =
        text.matches("\\d{1,9}") ? Duration.ofSeconds(Long.parseLong(text)) : date(text, clock);
    return wait == null ? null : bounded(wait);
  }

  private static Duration bounded(Duration wait) {
    if (wait.isNegative()) {
      return Duration.ZERO;
    }
    return wait.compareTo(LONGEST) < 0 ? wait : LONGEST;
  }

  private static @Nullable Duration date(String text, Clock clock) {
    try {
      var until = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      return Duration.between(clock.instant(), until);
    } catch (DateTimeException e) {
      return null;
    }
  }
}

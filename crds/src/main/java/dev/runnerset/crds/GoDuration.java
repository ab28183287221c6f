package dev.runnerset.crds;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Durations as users of Kubernetes write them: {@code 6h}, {@code 1h30m}, {@code 0s}. */
public final class GoDuration {
  /**
   * What the schema accepts: at most four times at most nine digits and a unit, no sign, no
   * fraction.
   */
  public static final String PATTERN = "^([0-9]{1,9}(ms|s|m|h)){1,4}$";

  /** The rule of the schema for a field with a duration. */
  static final String RULE = "self.matches(r'" + PATTERN + "')";

  /** What the API server answers where the rule is broken. */
  static final String EXPECTED =
      "write a duration of up to four parts, as 30m, 6h or 1h30m; units are ms, s, m and h";

  /** The longest text that the pattern allows; the cost of the rule is reckoned from it. */
  static final int LONGEST = 44;

  private static final Pattern WHOLE = Pattern.compile(PATTERN);
  private static final Pattern PART = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

  private GoDuration() {}

  /** The duration that {@code text} spells; empty if it is absent or spells none. */
  public static Optional<Duration> parse(@Nullable String text) {
    if (text == null || !WHOLE.matcher(text).matches()) {
      return Optional.empty();
    }
    var sum = Duration.ZERO;
    var parts = PART.matcher(text);
    while (parts.find()) {
      sum = sum.plus(part(Long.parseLong(parts.group(1)), parts.group(2)));
    }
    return Optional.of(sum);
  }

  private static Duration part(long amount, String unit) {
    return switch (unit) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      default -> Duration.ofHours(amount);
    };
  }

  /** The text that {@link #parse} reads as {@code time}: {@code 1h30m}, {@code 0s}. */
  public static String text(Duration time) {
    var text = new StringBuilder();
    append(text, time.toHours(), "h");
    append(text, time.toMinutesPart(), "m");
    append(text, time.toSecondsPart(), "s");
    append(text, time.toMillisPart(), "ms");
    return text.isEmpty() ? "0s" : text.toString();
  }

  private static void append(StringBuilder text, long amount, String unit) {
    if (amount > 0) {
      text.append(amount).append(unit);
    }
  }
}

package dev.runnerset.e2e;

import java.util.Objects;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;

/** Times that are held against bars. */
public final class Bars {
  private Bars() {}

  /**
   * Holds that it took no more than so many seconds.
   *
   * @param seconds null for never
   * @param what a format of what they are, for {@code words}
   */
  public static void within(
      SoftAssertions softly, double bar, @Nullable Double seconds, String what, Object... words) {
    double taken = Objects.requireNonNullElse(seconds, Double.POSITIVE_INFINITY);
    softly.assertThat(taken).as("seconds until " + what, words).isLessThanOrEqualTo(bar);
  }
}

package dev.runnerset.base;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Waits that double with each failure in a row, up to a longest one. Immutable.
 *
 * @param first the wait after the first failure; positive
 * @param longest bound of the doubling; not less than {@code first}
 * @param jitter the part of a wait that chance may take off, from 0 to 1; 0 for exact waits
 */
public record Backoff(Duration first, Duration longest, double jitter) {
  /** More doublings than any longest wait needs, and few enough not to overflow. */
  private static final int MOST_DOUBLINGS = 20;

  /** Rejects waits that never pass or never grow. */
  public Backoff {
    if (!first.isPositive() || longest.compareTo(first) < 0 || jitter < 0 || jitter > 1) {
      throw new IllegalArgumentException(
          "a backoff needs a positive first wait, no shorter longest one and a jitter of 0 to 1");
    }
  }

  /** A backoff without jitter. */
  public static Backoff of(Duration first, Duration longest) {
    return new Backoff(first, longest, 0);
  }

  /**
   * The full wait after that many failures in a row, without jitter.
   *
   * @param failures 1 for the first failure; less counts as 1
   */
  public Duration after(int failures) {
    var wait = first.multipliedBy(1L << Math.clamp(failures - 1, 0, MOST_DOUBLINGS));
    return wait.compareTo(longest) < 0 ? wait : longest;
  }

  /** The wait after that many failures in a row, in whole milliseconds, cut by the jitter. */
  public Duration after(int failures, RandomGenerator random) {
    return jittered(after(failures), jitter, random);
  }

  /** A wait in whole milliseconds of which chance takes off up to the given part. */
  public static Duration jittered(Duration full, double part, RandomGenerator random) {
    return Duration.ofMillis((long) (full.toMillis() * (1 - part * random.nextDouble())));
  }
}

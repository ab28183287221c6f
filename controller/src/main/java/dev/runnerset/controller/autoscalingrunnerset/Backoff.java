package dev.runnerset.controller.autoscalingrunnerset;

import java.time.Duration;

/** How long to wait after so many failures in a row. Pure. */
final class Backoff {
  /** The first wait. */
  static final Duration FIRST = Duration.ofSeconds(2);

  /** The longest wait where the service is asked. */
  static final Duration LONGEST = Duration.ofMinutes(5);

  /** The longest wait where only the cluster is asked, as for a secret that is missing. */
  static final Duration LONGEST_LOCAL = Duration.ofSeconds(30);

  private Backoff() {}

  /**
   * The wait before the next try.
   *
   * @param failures at least 1
   */
  static Duration after(int failures, Duration longest) {
    var wait = FIRST.multipliedBy(1L << Math.min(failures - 1, 20));
    return wait.compareTo(longest) < 0 ? wait : longest;
  }
}

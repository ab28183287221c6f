package dev.runnerset.controller.autoscalingrunnerset.planning;

import java.time.Duration;

/** How long to wait after so many failures in a row. Pure. */
public final class Backoff {
  /** The first wait. */
  static final Duration FIRST = Duration.ofSeconds(2);

  /** The longest wait where the service is asked. */
  public static final Duration LONGEST = Duration.ofMinutes(5);

  /** The longest wait where only the cluster is asked, as for a secret that is missing. */
  public static final Duration LONGEST_LOCAL = Duration.ofSeconds(30);

  private Backoff() {}

  /**
   * The wait before the next try.
   *
   * @param failures at least 1
   */
  public static Duration after(int failures, Duration longest) {
    var wait = FIRST.multipliedBy(1L << Math.min(failures - 1, 20));
    return wait.compareTo(longest) < 0 ? wait : longest;
  }
}

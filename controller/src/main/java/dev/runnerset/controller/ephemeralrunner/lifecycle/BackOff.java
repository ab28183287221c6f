package dev.runnerset.controller.ephemeralrunner.lifecycle;

import java.time.Duration;

/** A wait that doubles. */
public final class BackOff {
  private BackOff() {}

  /**
   * {@code first} after no failure before this one, then doubled for each, at most {@code most}.
   */
  public static Duration after(int failuresBefore, Duration first, Duration most) {
    var wait = first.multipliedBy(1L << Math.min(failuresBefore, 16));
    return wait.compareTo(most) > 0 ? most : wait;
  }
}

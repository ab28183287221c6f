package dev.runnerset.deployment.node;

import java.time.Duration;

/**
 * How long a container that ended waits for its next start, by the kubelet's rule: the first start
 * comes at once, the next after 10 s, then each wait is twice the one before it, up to 5 min. A
 * container that ran for 10 min begins anew.
 *
 * @param ends how often it ended without such a long run
 */
record RestartBackoff(int ends) {
  private static final Duration FIRST = Duration.ofSeconds(10);
  private static final Duration LONGEST = Duration.ofMinutes(5);
  private static final Duration LONG_RUN = Duration.ofMinutes(10);

  /** Before the first end. */
  static RestartBackoff none() {
    return new RestartBackoff(0);
  }

  /** After a container that ran for so long. */
  RestartBackoff after(Duration ran) {
    return new RestartBackoff(ran.compareTo(LONG_RUN) >= 0 ? 1 : ends + 1);
  }

  /** The wait before the next start. */
  Duration pause() {
    if (ends < 2) {
      return Duration.ZERO;
    }
    var wait = FIRST.multipliedBy(1L << Math.min(ends - 2, 10));
    return wait.compareTo(LONGEST) < 0 ? wait : LONGEST;
  }
}

package dev.runnerset.controller.replicas;

import java.time.Duration;
import java.time.Instant;

/**
 * When runners may be made again after some failed: 2 s doubling to 5 min, reset by a job (design
 * section 6). Runners that fail together count once. Immutable.
 *
 * @param failures waves of failures since the last job
 * @param notBefore no runner is made earlier
 */
record CreationBackoff(int failures, Instant notBefore) {
  static final CreationBackoff NONE = new CreationBackoff(0, Instant.EPOCH);

  private static final Duration FIRST = Duration.ofSeconds(2);
  private static final Duration LONGEST = Duration.ofMinutes(5);

  boolean isOpen(Instant now) {
    return !now.isBefore(notBefore);
  }

  /** After a runner that failed at that instant. */
  CreationBackoff afterFailure(Instant failedAt) {
    if (failedAt.isBefore(notBefore)) {
      return this; // of the same wave as the one before
    }
    var wait = FIRST.multipliedBy(1L << Math.min(failures, 8));
    return new CreationBackoff(
        failures + 1, failedAt.plus(wait.compareTo(LONGEST) > 0 ? LONGEST : wait));
  }

  /** After a runner got a job. */
  CreationBackoff afterJob() {
    return NONE;
  }
}

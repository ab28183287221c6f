package dev.runnerset.listener.session;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.base.Backoff;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Waiting times between failures: 1 s doubling to 20 s, each cut by up to a half at random. What
 * leaves a set deaf although the service works is tried again sooner.
 */
final class LoopBackoff {
  private static final Backoff WAITS =
      new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(20), 0.5);
  private static final Duration LONGEST_SOON = Duration.ofSeconds(4);
  private static final Duration LONGEST_ASKED = Duration.ofMinutes(5);

  private final RandomGenerator random;
  private int failures;

  LoopBackoff(RandomGenerator random) {
    this.random = random;
  }

  /** The next wait; at least what the other side asked for, within reason. */
  Duration next(@Nullable Duration asked) {
    failures++;
    var wait = WAITS.after(failures, random);
    if (asked == null || asked.compareTo(wait) < 0) {
      return wait;
    }
    return asked.compareTo(LONGEST_ASKED) > 0 ? LONGEST_ASKED : asked;
  }

  /** The wait after an error of the service: a lost session is opened again soon. */
  Duration after(ServiceError error) {
    return error instanceof ServiceError.SessionLost ? soon() : next(error.retryAfter());
  }

  /** At most 1 s the first time, and a few seconds while nothing but failures comes. */
  Duration soon() {
    if (failures == 0) {
      failures = 1;
      return jittered(WAITS.first(), 1);
    }
    return shorter(next(null), LONGEST_SOON);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** A duration cut by up to the given part of it. */
  Duration jittered(Duration full, double part) {
    return Backoff.jittered(full, part, random);
  }

  void reset() {
    failures = 0;
  }
}

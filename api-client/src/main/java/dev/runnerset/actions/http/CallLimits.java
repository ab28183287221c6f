package dev.runnerset.actions.http;

import java.time.Duration;

/**
 * How much of the caller one connection may hold, so that a service that accepts and never answers
 * does not stop those who call other services as well (docs/adr/0015).
 *
 * @param atOnce calls with the admin token under way at the same time
 * @param turn how long a call waits for its turn while the service answers the others
 * @param failures slow failures in a row after which no call is sent for a while
 * @param slow what a call takes at least that counts as a slow failure
 * @param rest how long no call is sent then; after it one call tries
 */
public record CallLimits(int atOnce, Duration turn, int failures, Duration slow, Duration rest) {
  /** For a caller with a thread for each call. */
  public static final CallLimits NONE =
      new CallLimits(
          Integer.MAX_VALUE,
          Duration.ofSeconds(1),
          Integer.MAX_VALUE,
          Duration.ofSeconds(1),
          Duration.ofSeconds(1));

  /** Rejects limits under which nothing could be sent. */
  public CallLimits {
    if (atOnce < 1
        || failures < 1
        || turn.isNegative()
        || !slow.isPositive()
        || !rest.isPositive()) {
      throw new IllegalArgumentException("call limits must let calls through");
    }
  }

  /** So many calls at once; after 3 slow failures in a row a rest of 10 s. */
  public static CallLimits atMost(int atOnce) {
    return new CallLimits(
        atOnce, Duration.ofSeconds(1), 3, Duration.ofSeconds(3), Duration.ofSeconds(10));
  }
}

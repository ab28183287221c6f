package dev.runnerset.controller.scaling;

import dev.runnerset.base.Backoff;
import dev.runnerset.base.Pure;
import java.time.Duration;
import java.time.Instant;

/**
 * When runners may be made again after some failed to start: 2 s doubling to 5 min, reset by a job
 * and by a time without failures (RN10). Runners that fail together count once; {@code FailedStart}
 * says which failures count. Immutable.
 *
 * @param failures waves of failures in a row
 * @param notBefore no runner is made earlier
 * @param probing whether no runner has started since the last failure: then only a few runners are
 *     made at a time, to try
 */
@Pure
public record CreationBackoff(int failures, Instant notBefore, boolean probing) {
  /** Nothing failed. */
  public static final CreationBackoff NONE = new CreationBackoff(0, Instant.EPOCH, false);

  /** How many runners try to start at a time while probing. */
  public static final int PROBES = 4;

  /**
   * Failures further apart do not add up. This is longer than the default deadlines of a start (10
   * min), since runners that all miss their deadlines fail for one reason.
   */
  public static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(15);

  private static final Backoff WAIT = Backoff.of(Duration.ofSeconds(2), Duration.ofMinutes(5));

  /** When the failures no longer count, if no other one comes. */
  public Instant forgottenAt() {
    return notBefore.plus(FORGOTTEN_AFTER);
  }

  /** After a runner that failed at that instant. */
  public CreationBackoff afterFailure(Instant failedAt) {
    if (failedAt.isBefore(notBefore)) {
      return this; // a failure of the same wave
    }
    int before = failedAt.isAfter(forgottenAt()) ? 0 : failures;
    return new CreationBackoff(before + 1, failedAt.plus(WAIT.after(before + 1)), true);
  }

  /** After a pod was made for a runner: all runners that are missing may be made. */
  public CreationBackoff afterStart() {
    return new CreationBackoff(failures, notBefore, false);
  }
}

package dev.runnerset.controller.ephemeralrunnerset;

import java.time.Duration;

/** The times of what an EphemeralRunnerSet reports of its runners, and of what it leaves alone. */
final class EphemeralRunnerSetTimes {
  /** A runner without a problem of its own is reported from this age on (RN15). */
  static final Duration SLOW_AFTER = Duration.ofSeconds(25);

  /**
   * From this age on such a runner does not start; as progressDeadlineSeconds of a Deployment
   * (RN15).
   */
  static final Duration START_DEADLINE = Duration.ofMinutes(10);

  /** A runner whose pod was taken away after that long had started well (RN10). */
  static final Duration STOOD = Duration.ofMinutes(1);

  /**
   * A runner that ended by itself after that long had started well. This is longer, since a runner
   * that cannot reach the service tries for minutes before it exits; as {@code
   * deadlines.registration} (RN10).
   */
  static final Duration PROVEN = Duration.ofMinutes(5);

  /** How long a failure counts after the backoff ended, unless a job comes first (RN10). */
  static final Duration FAILURE_COUNTS = Duration.ofMinutes(5);

  /** How long a failure is reported while all wanted runners are up (RN10). */
  static final Duration HEALED_AFTER = Duration.ofSeconds(20);

  /**
   * How long idle runners stay whose places a quota takes, while no other set wants their room: a
   * quota may rise again (DM13).
   */
  static final Duration IDLE_STAYS = Duration.ofSeconds(30);

  private EphemeralRunnerSetTimes() {}
}

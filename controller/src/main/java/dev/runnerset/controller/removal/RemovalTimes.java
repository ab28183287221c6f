package dev.runnerset.controller.removal;

import dev.runnerset.base.Backoff;
import java.time.Duration;

/** The times of removals at the service, and of what waits for them. */
final class RemovalTimes {
  /** How long a refusal or an error counts (I3, SD6). */
  static final Duration REFUSAL_WINDOW = Duration.ofSeconds(30);

  /** The wait of a set whose budget of refusals is spent (SD6). */
  static final Backoff BUDGET_WAIT = Backoff.of(REFUSAL_WINDOW, Duration.ofMinutes(2));

  /** How long a runner is busy-suspect after its first refusal (SD5). */
  static final Duration FIRST_SUSPICION = Duration.ofMinutes(5);

  /** The longest that a runner is busy-suspect after a refusal (SD5). */
  static final Duration LONGEST_SUSPICION = Duration.ofMinutes(30);

  /** The wait before the deletion of an object is tried again (LV4). */
  static final Backoff DELETION_RETRY = Backoff.of(Duration.ofSeconds(2), Duration.ofSeconds(60));

  /** How long there must be a surplus before anything is removed (SD1). */
  static final Duration SURPLUS_STANDS = Duration.ofSeconds(1);

  /** The longest that a surplus waits for the marks that its demand reckons with (SD11). */
  static final Duration MARKS_COME = Duration.ofSeconds(30);

  /** An older observation bounds nothing, so that it cannot hold surplus runners for ever (SD4). */
  static final Duration OBSERVATION_AGE = Duration.ofMinutes(2);

  /** Nearly every runner connects within that time after the start of its container (SD4). */
  static final Duration MOST_ARE_ONLINE_AFTER = Duration.ofMinutes(1);

  /** Users learn of a container that runs on after its job; most end within seconds (LV8). */
  static final Duration EXIT_REPORTED_AFTER = Duration.ofMinutes(1);

  /** How long a runner may clean up after its job (LV8). */
  static final Duration EXIT_REMOVED_AFTER = Duration.ofMinutes(3);

  /**
   * How long a runner waits for its job to be settled: while the job counts as demand, another
   * runner would be made in its place (I9). A listener that is gone must not keep it for ever
   * (LV8).
   */
  static final Duration EXIT_REMOVED_UNWEIGHED_AFTER = Duration.ofMinutes(10);

  private RemovalTimes() {}
}

package dev.runnerset.controller.connection;

import dev.runnerset.controller.timing.Times;
import java.time.Duration;

/** The times of connections to services, and of what services refuse. */
final class ConnectionTimes {
  /** Without a refusal for so long there is no limit any more (CN3). */
  static final Duration LIMIT_FORGOTTEN_AFTER = Duration.ofMinutes(5);

  /**
   * A wait that the service asks for is tried that often: it may have been repaired meanwhile
   * (CN3).
   */
  static final Duration HELD_TRIED_EVERY = Times.REGISTRATION_RETRY;

  /**
   * A runner with a later turn asks again after half of its wait, since the pace may change (CN3).
   */
  static final Duration COMES_FOR_ITS_TURN = Duration.ofSeconds(1);

  /** The longest that a runner waits for its turn before it asks again (CN3). */
  static final Duration LONGEST_FOR_A_TURN = Times.LONGEST_REGISTRATION_RETRY;

  /** A wait up to that belongs to the pace (CN2). */
  static final Duration PACE = Duration.ofSeconds(5);

  /** Without another one a refusal is over; several tries of one runner lie in this time (CN2). */
  static final Duration REFUSAL_FORGOTTEN_AFTER = Times.LONGEST_REGISTRATION_RETRY.multipliedBy(5);

  /**
   * While a refusal is reported, one registration is tried so often; hundreds of runners may wait
   * (CN2).
   */
  static final Duration REFUSED_TRIED_EVERY = Times.REGISTRATION_RETRY;

  /** How long a call waits while its namespace asks as many silent services as it may (CN1). */
  static final Duration TURN = Duration.ofSeconds(10);

  /** After an outage that long the server may have been restored (NM6). */
  static final Duration OUTAGE = Duration.ofSeconds(30);

  /** How soon a runner asks again whether its scale set was proved (NM6). */
  static final Duration PROVED_WITHIN = Duration.ofSeconds(1);

  private ConnectionTimes() {}
}

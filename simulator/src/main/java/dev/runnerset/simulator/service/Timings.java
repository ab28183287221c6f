package dev.runnerset.simulator.service;

import java.time.Duration;

/**
 * How long things last in the simulated service; the defaults are what was observed of the real one
 * (protocol 7).
 *
 * @param messagePoll how long a session's poll is parked before 202
 * @param sessionLease how long a session lives without contact (protocol 7.4)
 * @param adminToken life of an admin token
 * @param queueToken life of a message queue token
 * @param runLease how long a running job survives without renewal (protocol 8.4)
 * @param orderlyEnd how long a job runs on whose runner ended its session without completing it: 15
 *     to 26 s were measured
 * @param latency how long each answer takes at least
 */
@WithWithers
public record Timings(
    Duration messagePoll,
    Duration sessionLease,
    Duration adminToken,
    Duration queueToken,
    Duration runLease,
    Duration orderlyEnd,
    Duration latency)
    implements TimingsBuilder.With {
  /** How long a runner's poll is parked before 202. */
  static final Duration RUNNER_POLL = Duration.ofSeconds(50);

  /** How long a runner counts as online without contact. */
  static final Duration RUNNER_LEASE = Duration.ofMinutes(2);

  /** How long a runner may take to acquire the job handed to it. */
  static final Duration OFFER = Duration.ofSeconds(30);

  /** How long an assigned job waits for a runner before it is cancelled and queued again. */
  static final Duration TAKE = Duration.ofMinutes(5);

  /** Pause before a cancelled job is queued again; multiplied by the round. */
  static final Duration REQUEUE_DELAY = Duration.ofSeconds(15);

  /** Shortest time between two envelopes that carry statistics only. */
  static final Duration STATISTICS_PAUSE = Duration.ofSeconds(1);

  public static Timings defaults() {
    return new Timings(
        Duration.ofSeconds(50),
        Duration.ofSeconds(90),
        Duration.ofHours(1),
        Duration.ofHours(1),
        Duration.ofMinutes(10),
        Duration.ofSeconds(20),
        Duration.ZERO);
  }

  public Timings withTokens(Duration admin, Duration queue) {
    return withAdminToken(admin).withQueueToken(queue);
  }
}

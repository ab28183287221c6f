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
 * @param runnerPoll how long a runner's poll is parked before 202
 * @param runnerLease how long a runner counts as online without contact
 * @param offer how long a runner may take to acquire the job handed to it
 * @param take how long an assigned job waits for a runner before it is cancelled and queued again
 * @param requeueDelay pause before a cancelled job is queued again; multiplied by the round
 * @param runLease how long a running job survives without renewal (protocol 8.4)
 * @param statisticsPause shortest time between two envelopes that carry statistics only
 */
public record Timings(
    Duration messagePoll,
    Duration sessionLease,
    Duration adminToken,
    Duration queueToken,
    Duration runnerPoll,
    Duration runnerLease,
    Duration offer,
    Duration take,
    Duration requeueDelay,
    Duration runLease,
    Duration statisticsPause) {

  public static Timings defaults() {
    return new Timings(
        Duration.ofSeconds(50),
        Duration.ofSeconds(90),
        Duration.ofHours(1),
        Duration.ofHours(1),
        Duration.ofSeconds(50),
        Duration.ofMinutes(2),
        Duration.ofSeconds(30),
        Duration.ofMinutes(5),
        Duration.ofSeconds(15),
        Duration.ofMinutes(10),
        Duration.ofSeconds(1));
  }

  public Timings withMessagePoll(Duration value) {
    return new Timings(
        value,
        sessionLease,
        adminToken,
        queueToken,
        runnerPoll,
        runnerLease,
        offer,
        take,
        requeueDelay,
        runLease,
        statisticsPause);
  }

  public Timings withSessionLease(Duration value) {
    return new Timings(
        messagePoll,
        value,
        adminToken,
        queueToken,
        runnerPoll,
        runnerLease,
        offer,
        take,
        requeueDelay,
        runLease,
        statisticsPause);
  }

  public Timings withTokens(Duration admin, Duration queue) {
    return new Timings(
        messagePoll,
        sessionLease,
        admin,
        queue,
        runnerPoll,
        runnerLease,
        offer,
        take,
        requeueDelay,
        runLease,
        statisticsPause);
  }

  public Timings withRunLease(Duration value) {
    return new Timings(
        messagePoll,
        sessionLease,
        adminToken,
        queueToken,
        runnerPoll,
        runnerLease,
        offer,
        take,
        requeueDelay,
        value,
        statisticsPause);
  }
}

package dev.runnerset.simulator.service;

import java.time.Duration;
import java.util.function.Consumer;

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
    return with(draft -> draft.messagePoll = value);
  }

  public Timings withSessionLease(Duration value) {
    return with(draft -> draft.sessionLease = value);
  }

  public Timings withTokens(Duration admin, Duration queue) {
    return with(draft -> {
      draft.adminToken = admin;
      draft.queueToken = queue;
    });
  }

  public Timings withRunLease(Duration value) {
    return with(draft -> draft.runLease = value);
  }

  private Timings with(Consumer<Draft> change) {
    var draft = new Draft(this);
    change.accept(draft);
    return draft.timings();
  }

  /** Those that are changed. */
  private static final class Draft {
    private final Timings before;
    private Duration messagePoll;
    private Duration sessionLease;
    private Duration adminToken;
    private Duration queueToken;
    private Duration runLease;

    Draft(Timings before) {
      this.before = before;
      messagePoll = before.messagePoll;
      sessionLease = before.sessionLease;
      adminToken = before.adminToken;
      queueToken = before.queueToken;
      runLease = before.runLease;
    }

    Timings timings() {
      return new Timings(
          messagePoll,
          sessionLease,
          adminToken,
          queueToken,
          before.runnerPoll,
          before.runnerLease,
          before.offer,
          before.take,
          before.requeueDelay,
          runLease,
          before.statisticsPause);
    }
  }
}

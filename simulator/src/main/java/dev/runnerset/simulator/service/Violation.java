package dev.runnerset.simulator.service;

import java.time.Instant;

/**
 * Something a well-behaved client never causes.
 *
 * @param subject the runner, job or set concerned
 */
public record Violation(Instant at, Kind kind, String subject, String detail) {

  /** What went wrong. */
  public enum Kind {
    /** A runner with a running job vanished, or was asked to stop. */
    JOB_KILLED,
    /** Two runner processes used one JIT configuration. */
    JIT_USED_TWICE,
    /** A registration without a runner was left behind. */
    REGISTRATION_LEAKED,
    /** More removal requests answered JobStillRunning than the budget allows (I3, SD6). */
    USELESS_REMOVE,
    /** A registration was removed that the scale sets do not own. */
    REMOVED_FOREIGN
  }

  @Override
  public String toString() {
    return kind + " " + subject + ": " + detail;
  }
}

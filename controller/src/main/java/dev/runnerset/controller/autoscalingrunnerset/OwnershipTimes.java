package dev.runnerset.controller.autoscalingrunnerset;

import java.time.Duration;

/** The times by which a set belongs to one controller. */
final class OwnershipTimes {
  /** Between two reads of the lease of one controller (WR11). */
  static final Duration READ_EVERY = Duration.ofSeconds(10);

  /** After a lease has run out: its controller may be replaced by its next version (WR11). */
  static final Duration SLACK = Duration.ofMinutes(1);

  /**
   * When a set that is another's is checked again: no event reports that a lease runs out (WR11).
   */
  static final Duration CHECK_EVERY = Duration.ofSeconds(15);

  private OwnershipTimes() {}
}

package dev.runnerset.controller.features.shield;

import java.time.Duration;

/** The times of the shield and of drains. */
final class ShieldTimes {
  /** How long a runner is idle before its pod loses the shield (SH1). */
  static final Duration IDLE_FOR = Duration.ofMinutes(10);

  /**
   * A scheduler that has not heard of the cordon or the taint may use the node for that time. A
   * runner that was made later and is there tolerates it: it would be replaced by the next one for
   * ever (SD10).
   */
  static final Duration SCHEDULER_LAG = Duration.ofSeconds(30);

  /**
   * A taint that goes again within that time counts for nothing, so that one that comes and goes
   * all the time neither moves runners nor writes statuses (SD10).
   */
  static final Duration TAINT_COUNTS_AFTER = Duration.ofSeconds(3);

  /**
   * A runner that has just become idle is spared for 10 s (SD2), so one is reported later (SD10).
   */
  static final Duration DRAIN_REPORTED_AFTER = Duration.ofSeconds(20);

  /** Between two reads of the policy that protects shielded pods (SH3). */
  static final Duration POLICY_READ_EVERY = Duration.ofSeconds(20);

  private ShieldTimes() {}
}

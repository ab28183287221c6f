package dev.runnerset.simulator.service;

import java.time.Duration;

/**
 * How a service of the legacy flavour acts where servers differ, or where it is not known what they
 * do (protocol 7.6).
 *
 * @param won share of the jobs asked for that a set wins, 0 to 1; the others stay available
 * @param assignDelay how long a job is acquired before it is assigned
 * @param acquiredInAssigned {@code totalAssignedJobs} counts the acquired jobs too
 * @param firstLabelOnly scale sets keep the first label that they are given, and no others
 */
@WithWithers
public record LegacyRules(
    double won, Duration assignDelay, boolean acquiredInAssigned, boolean firstLabelOnly)
    implements LegacyRulesBuilder.With {
  public static final LegacyRules DEFAULT = new LegacyRules(1, Duration.ZERO, false, false);

  public LegacyRules {
    if (won < 0 || won > 1) {
      throw new IllegalArgumentException("won: share " + won + " is not in 0..1");
    }
    if (assignDelay.isNegative()) {
      throw new IllegalArgumentException("assignDelay must not be negative");
    }
  }
}

package dev.runnerset.controller.scaling;

import dev.runnerset.crds.condition.RunnerSetReason;

/** What holds the capacity down; the word in the status. */
public enum LimitedBy {
  /** All runners that the set may have are assigned, and more jobs wait. */
  MAX_RUNNERS(RunnerSetReason.MAX_RUNNERS),
  /** A quota of the namespace forbids further pods. */
  QUOTA(RunnerSetReason.QUOTA),
  /** As many runners were made in the last minute as the user allows. */
  STARTS_PER_MINUTE(RunnerSetReason.STARTS_PER_MINUTE),
  /** No node takes further pods. */
  UNSCHEDULABLE(RunnerSetReason.UNSCHEDULABLE),
  /** Runners end before they get a job. */
  FAILING(RunnerSetReason.FAILING),
  /** Something else keeps runners from starting. */
  NOT_STARTING(RunnerSetReason.NOT_STARTING),
  /** {@code mode: Paused}. */
  PAUSED(RunnerSetReason.PAUSED),
  /** {@code mode: Drained}. */
  DRAINED(RunnerSetReason.DRAINED),
  /** The set is being deleted. */
  DELETED(RunnerSetReason.DELETED);

  private final RunnerSetReason reason;

  LimitedBy(RunnerSetReason reason) {
    this.reason = reason;
  }

  /** Whether it bounds a set that takes jobs, and not what the user asked for. */
  boolean isLimitOfRoom() {
    return this != PAUSED && this != DRAINED && this != DELETED;
  }

  /** Whether runners find no place, or do not start. */
  public boolean isOfPlacement() {
    return this == UNSCHEDULABLE || this == FAILING || this == NOT_STARTING;
  }

  /**
   * Whether no runner is made beyond it, not even for a job that is assigned. Of runners that fail
   * the backoff says when the next one is made (RN10).
   */
  public boolean boundsStarts() {
    return this == UNSCHEDULABLE || this == NOT_STARTING;
  }

  /** The reason in the status. */
  public RunnerSetReason reason() {
    return reason;
  }
}

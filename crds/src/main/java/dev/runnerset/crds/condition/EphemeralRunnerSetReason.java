package dev.runnerset.crds.condition;

/**
 * Reasons of the conditions of an EphemeralRunnerSet; its AutoScalingRunnerSet has some of them.
 */
public enum EphemeralRunnerSetReason implements Reason.Known {
  PASS_FAILED,
  BACK_OFF,
  RUNNER_VERSION_REJECTED,
  EXIT_OVERDUE,
  IDLE_NOT_REMOVED,
  NODE_LEAVES,
  START_SLOW,
  START_OVERDUE,
  REGISTRATION_OVERDUE,
  JOB_NOT_TAKEN,
  TOO_MANY_RUNNERS
}

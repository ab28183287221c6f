package dev.runnerset.crds.condition;

/** Reasons of the conditions of an AutoScalingListener, beside those of the access. */
public enum ListenerReason implements Reason.Known {
  SESSION_OPEN,
  LISTENER_FAILED,
  SESSION_CONFLICT,
  SESSION_UNUSABLE,
  SCALE_SET_NOT_OURS,
  SESSION_LOST,
  UNAVAILABLE,
  POLL_UNANSWERED,
  STOPPED,
  DELETED,
  APPLIED,
  WRITES_FORBIDDEN,
  MESSAGE_SKIPPED,
  RUNNER_GONE,
  OTHER_REGISTRATION,
  MARK_REFUSED
}

package dev.runnerset.controller.autoscalingrunnerset.events;

import dev.runnerset.crds.condition.Reason;

/**
 * One event to be written.
 *
 * @param isWarning whether it is a Warning; else it is Normal
 * @param subject what it is about beside the set; empty for the set alone
 */
public record PendingEvent(boolean isWarning, Reason reason, String subject, String message) {
  /** A Normal event. */
  static PendingEvent normal(Reason reason, String subject, String message) {
    return new PendingEvent(false, reason, subject, message);
  }
}

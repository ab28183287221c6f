package dev.runnerset.controller.autoscalingrunnerset.events;

import dev.runnerset.crds.condition.Reason;

/** One event to be written. */
public sealed interface PendingEvent {
  /** A Warning event. */
  public record Warning(Reason reason, String message) implements PendingEvent {}

  /**
   * A Normal event.
   *
   * @param subject what it is about beside the set; empty for the set alone
   */
  public record Note(Reason reason, String subject, String message) implements PendingEvent {}
}

package dev.runnerset.controller.autoscalingrunnerset.status;

/**
 * Something that keeps a set from working.
 *
 * @param reason a stable word for a condition
 * @param message says what to change; nothing secret
 */
public record Finding(String reason, String message) {
  /** The API server takes longer ones, people do not. */
  static final int MAX_MESSAGE = 1000;

  public Finding {
    message = message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE) + "…";
  }
}

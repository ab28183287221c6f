package dev.runnerset.controller.autoscalingrunnerset.status;

import dev.runnerset.base.ShortText;
import dev.runnerset.crds.condition.Reason;

/**
 * Something that keeps a set from working.
 *
 * @param reason a stable word for a condition
 * @param message says what to change; nothing secret
 */
public record Finding(Reason reason, String message) {
  /** The API server takes longer ones, people do not. */
  static final int MAX_MESSAGE = 1000;

  public Finding {
    message = ShortText.of(message, MAX_MESSAGE);
  }
}

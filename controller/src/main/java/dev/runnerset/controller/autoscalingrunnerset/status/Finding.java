package dev.runnerset.controller.autoscalingrunnerset.status;

import dev.runnerset.base.ShortText;
import dev.runnerset.crds.condition.Reason;

/**
 * A problem of a runner set, for a condition or an event.
 *
 * @param reason a stable word for programs
 * @param message what the user should change; contains no secret
 */
public record Finding(Reason reason, String message) {
  /** The longest message. The API server would accept more, but nobody reads it. */
  static final int MAX_MESSAGE = 1000;

  public Finding {
    message = ShortText.of(message, MAX_MESSAGE);
  }
}

package dev.runnerset.controller.autoscalingrunnerset.status;

import dev.runnerset.base.ShortText;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.StatusConditions;

/**
 * A problem of a runner set, for a condition or an event.
 *
 * @param reason a stable word for programs
 * @param message what the user should change; contains no secret
 */
public record Finding(Reason reason, String message) {
  public Finding {
    message = ShortText.of(message, StatusConditions.LONGEST_MESSAGE);
  }
}

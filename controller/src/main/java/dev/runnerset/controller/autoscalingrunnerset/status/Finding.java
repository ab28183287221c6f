package dev.runnerset.controller.autoscalingrunnerset.status;

import dev.runnerset.base.ShortText;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;

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

  /** The verdict that a condition is True for it. */
  public Verdict yes() {
    return new Verdict(Value.TRUE, reason, message);
  }

  /** The verdict that a condition is False for it. */
  public Verdict no() {
    return new Verdict(Value.FALSE, reason, message);
  }

  /** The verdict that it keeps a condition from being known. */
  public Verdict unknown() {
    return new Verdict(Value.UNKNOWN, reason, message);
  }
}

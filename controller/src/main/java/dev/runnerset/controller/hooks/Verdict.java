package dev.runnerset.controller.hooks;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.StatusConditions.Value;

/**
 * Status, reason and message of a condition.
 *
 * @param reason a stable word for programs
 * @param message what the user should change; contains no secret
 */
@Pure
public record Verdict(Value value, Reason reason, String message) {
  /** The condition is True. */
  public static Verdict yes(Reason reason, String message) {
    return new Verdict(Value.TRUE, reason, message);
  }

  /** The condition is False. */
  public static Verdict no(Reason reason, String message) {
    return new Verdict(Value.FALSE, reason, message);
  }

  public boolean isTrue() {
    return value == Value.TRUE;
  }
}

package dev.runnerset.controller.hooks;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.scaling.LimitedBy;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.StatusConditions.Value;
import org.jspecify.annotations.Nullable;

/**
 * Status, reason and message of a condition.
 *
 * @param reason a stable word for programs
 * @param message what the user should change; contains no secret
 * @param limits how it keeps runners from coming to wait for a job; null if it keeps none
 */
@Pure
public record Verdict(Value value, Reason reason, String message, @Nullable LimitedBy limits) {
  /** A verdict that keeps no runner from starting. */
  public Verdict(Value value, Reason reason, String message) {
    this(value, reason, message, null);
  }

  /** The condition is True. */
  public static Verdict yes(Reason reason, String message) {
    return new Verdict(Value.TRUE, reason, message);
  }

  /** The condition is False. */
  public static Verdict no(Reason reason, String message) {
    return new Verdict(Value.FALSE, reason, message);
  }

  /** This verdict, which limits the runners in that way; null for not at all. */
  public Verdict limiting(@Nullable LimitedBy limit) {
    return new Verdict(value, reason, message, limit);
  }

  public boolean isTrue() {
    return value == Value.TRUE;
  }
}

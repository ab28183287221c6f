package dev.runnerset.controller.connection;

import dev.runnerset.crds.condition.AccessReason;

/** A connection that cannot be made from what the user gave; nothing secret is in it. */
public final class InvalidConnectionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final AccessReason reason;

  /**
   * A finding for the user.
   *
   * @param reason for a condition
   * @param message says what to change
   */
  public InvalidConnectionException(AccessReason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** The stable word. */
  public AccessReason reason() {
    return reason;
  }
}

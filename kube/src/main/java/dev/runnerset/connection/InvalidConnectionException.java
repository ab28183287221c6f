package dev.runnerset.connection;

import dev.runnerset.crds.condition.AccessReason;

/** No connection can be made from what the user gave. Nothing secret is in it. */
public final class InvalidConnectionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final AccessReason reason;

  /**
   * A finding for the user.
   *
   * @param reason the reason for a condition
   * @param message says what to change
   */
  public InvalidConnectionException(AccessReason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** The reason for a condition. */
  public AccessReason reason() {
    return reason;
  }
}

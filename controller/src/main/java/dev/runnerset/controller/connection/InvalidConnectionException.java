package dev.runnerset.controller.connection;

/** A connection that cannot be made from what the user gave; nothing secret is in it. */
public final class InvalidConnectionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String reason;

  /**
   * A finding for the user.
   *
   * @param reason a stable word for a condition, as {@code SecretNotFound}
   * @param message says what to change
   */
  public InvalidConnectionException(String reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** The stable word. */
  public String reason() {
    return reason;
  }
}

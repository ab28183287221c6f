package dev.runnerset.listener.session;

import dev.runnerset.crds.condition.AccessReason;

/** Credentials, proxy or certificate that cannot be used; nothing secret is in it. */
public final class UnusableAccessException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final AccessReason reason;

  /**
   * A finding for the user.
   *
   * @param reason a stable word for a condition
   * @param message says what to change
   */
  public UnusableAccessException(AccessReason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** The stable word. */
  public AccessReason reason() {
    return reason;
  }
}

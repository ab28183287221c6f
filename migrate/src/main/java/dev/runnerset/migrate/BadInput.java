package dev.runnerset.migrate;

/** Input that cannot be converted; the message is one line that says what to change. */
public final class BadInput extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public BadInput(String message) {
    super(message);
  }
}

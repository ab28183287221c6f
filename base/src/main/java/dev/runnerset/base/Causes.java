package dev.runnerset.base;

/** Why something failed, in the words of the innermost cause. */
@Pure
public final class Causes {
  private Causes() {}

  /** The message of the innermost cause, or its class if it has none. */
  public static String innermost(Throwable failure) {
    var cause = failure;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }
}

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

  /**
   * What a call threw, without the exception around it.
   *
   * @return an unchecked exception, to be thrown; one around {@code wrapper} for a checked one
   * @throws Error if the call threw one
   */
  public static RuntimeException unchecked(Exception wrapper) {
    return switch (wrapper.getCause()) {
      case Error error -> throw error;
      case RuntimeException unchecked -> unchecked;
      case null, default -> new IllegalStateException(wrapper);
    };
  }
}

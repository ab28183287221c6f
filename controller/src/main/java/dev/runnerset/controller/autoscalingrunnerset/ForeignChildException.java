package dev.runnerset.controller.autoscalingrunnerset;

/** An object under a child's name that belongs to somebody else. */
final class ForeignChildException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ForeignChildException(String message) {
    super(message);
  }
}

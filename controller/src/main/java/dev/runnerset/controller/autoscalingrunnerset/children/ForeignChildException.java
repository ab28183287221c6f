package dev.runnerset.controller.autoscalingrunnerset.children;

/** An object under a child's name that belongs to somebody else. */
public final class ForeignChildException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ForeignChildException(String message) {
    super(message);
  }
}

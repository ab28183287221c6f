package dev.runnerset.demo.progress;

/** A rehearsal that cannot go on; the message is for the user. */
public final class DemoException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public DemoException(String message) {
    super(message);
  }
}

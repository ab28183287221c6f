package dev.runnerset.demo;

/** A rehearsal that cannot go on; the message is for the user. */
final class DemoException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DemoException(String message) {
    super(message);
  }
}

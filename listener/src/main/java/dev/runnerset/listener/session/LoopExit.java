package dev.runnerset.listener.session;

/** Ends whatever a loop is in the middle of; caught by the loop alone. */
final class LoopExit extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why. */
  enum Why {
    /** The wish is to stop, or the thread was interrupted. */
    STOP,
    /** The epoch is another's: no longer holder (SF3). */
    FENCED,
    /** The listener object names another set object. */
    TARGET_CHANGED,
    /** The listener object is gone. */
    GONE
  }

  private final Why why;

  LoopExit(Why why) {
    super(why.name(), null, false, false);
    this.why = why;
  }

  Why why() {
    return why;
  }
}

package dev.runnerset.listener.session.context;

/** Ends whatever a loop is in the middle of. Only the loop catches it. */
public final class LoopExit extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why the loop leaves what it does. */
  public enum Why {
    /** The loop has to stop, or its thread was interrupted. */
    STOP,
    /** The epoch is another holder's (SF3). */
    FENCED,
    /** The listener object names another EphemeralRunnerSet. */
    TARGET_CHANGED,
    /** The listener object is gone. */
    GONE
  }

  private final Why why;

  /** Without a stack trace, since it is no failure. */
  public LoopExit(Why why) {
    super(why.name(), null, false, false);
    this.why = why;
  }

  /** Why the loop leaves what it does. */
  public Why why() {
    return why;
  }
}

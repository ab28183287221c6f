package dev.runnerset.listener.session.context;

/** A request to the API server that was not carried out. */
public final class KubeRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What the answer means to a listener. */
  public enum Kind {
    /** 404. */
    GONE,
    /** 409: the object changed since it was read. */
    STALE,
    /** 422: a test of the patch failed, or the object would be invalid. */
    TEST_FAILED,
    /** 401 or 403: a role is missing. */
    FORBIDDEN,
    /** Everything else: to be tried again later. */
    UNAVAILABLE
  }

  private final Kind kind;

  /**
   * A refusal.
   *
   * @param message the server's words
   */
  public KubeRefusal(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** What the answer means to a listener. */
  public Kind kind() {
    return kind;
  }
}

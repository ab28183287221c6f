package dev.runnerset.listener.session;

/** A request to the API server that was not carried out. */
public final class KubeRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What it means for us. */
  public enum Kind {
    /** 404. */
    GONE,
    /** 409: the object is not as we read it. */
    STALE,
    /** 422: a test of the patch failed, or the object would be invalid. */
    TEST_FAILED,
    /** 401 or 403: a role is missing. */
    FORBIDDEN,
    /** Everything else: later, again. */
    UNAVAILABLE
  }

  private final Kind kind;

  /** A refusal with the server's words. */
  public KubeRefusal(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** What it means. */
  public Kind kind() {
    return kind;
  }
}

package dev.runnerset.listener.session.context;

import dev.runnerset.base.ShortText;
import org.jspecify.annotations.Nullable;

/** A request to the API server that was not carried out. */
public final class KubeRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int MAX_MESSAGE = 500;

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

  /**
   * The refusal that an answer of the API server is.
   *
   * @param status of the answer; 0 when there was none
   * @param message the server's words; only their beginning is kept
   */
  public static KubeRefusal of(int status, @Nullable String message) {
    return new KubeRefusal(kind(status), ShortText.of(String.valueOf(message), MAX_MESSAGE));
  }

  private static Kind kind(int status) {
    return switch (status) {
      case 404 -> Kind.GONE;
      case 409 -> Kind.STALE;
      case 422 -> Kind.TEST_FAILED;
      case 401, 403 -> Kind.FORBIDDEN;
      default -> Kind.UNAVAILABLE;
    };
  }

  /** What the answer means to a listener. */
  public Kind kind() {
    return kind;
  }
}

package dev.runnerset.actions;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A call to the service that failed; carries the typed error. */
public final class ServiceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient ServiceError error;

  /** The failure, without a cause. */
  public ServiceException(ServiceError error) {
    super(text(error));
    this.error = error;
  }

  /** The failure with what lay beneath it. */
  public ServiceException(ServiceError error, Throwable cause) {
    super(text(error), cause);
    this.error = error;
  }

  private static String text(ServiceError error) {
    var sentence = error.details().sentence();
    return error.advice().isEmpty() ? sentence : sentence + "; " + error.advice();
  }

  /** How long to wait before the next call; null if nobody says. */
  public @Nullable Duration retryAfter() {
    return error.retryAfter();
  }

  /** Why it failed. */
  public ServiceError error() {
    return error;
  }
}

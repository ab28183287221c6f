package dev.runnerset.actions;

/** A call to the service that failed; carries the typed error. */
public final class ServiceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient ServiceError error;

  /** The failure, without a cause. */
  public ServiceException(ServiceError error) {
    super(error.details().sentence());
    this.error = error;
  }

  /** The failure with what lay beneath it. */
  public ServiceException(ServiceError error, Throwable cause) {
    super(error.details().sentence(), cause);
    this.error = error;
  }

  /** Why it failed. */
  public ServiceError error() {
    return error;
  }
}

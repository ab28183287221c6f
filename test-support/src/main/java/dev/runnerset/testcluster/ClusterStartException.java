package dev.runnerset.testcluster;

/** A control plane did not come up; the message ends with the log of the program at fault. */
public final class ClusterStartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ClusterStartException(String message) {
    super(message);
  }

  ClusterStartException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Somebody else took a port between the choice and the start: worth another try. */
  boolean isPortTaken() {
    return String.valueOf(getMessage()).contains("address already in use");
  }
}

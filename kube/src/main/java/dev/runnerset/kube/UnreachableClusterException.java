package dev.runnerset.kube;

/** No way to a cluster was found; the message is one sentence for the user, without secrets. */
public final class UnreachableClusterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreachableClusterException(String message) {
    super(message);
  }

  UnreachableClusterException(String message, Throwable cause) {
    super(message, cause);
  }
}

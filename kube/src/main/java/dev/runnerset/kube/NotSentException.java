package dev.runnerset.kube;

import io.fabric8.kubernetes.client.KubernetesClientException;
import org.jspecify.annotations.Nullable;

/** A request that this process kept back: for certain the API server never sees it. */
public final class NotSentException extends KubernetesClientException {
  private static final long serialVersionUID = 1L;

  public NotSentException(String message) {
    super(message);
  }

  /** Whether this is why a call failed; the client library wraps what an interceptor throws. */
  public static boolean isCauseOf(Throwable failure) {
    for (@Nullable Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof NotSentException) {
        return true;
      }
    }
    return false;
  }
}

package dev.runnerset.kube;

import dev.runnerset.base.Pure;
import io.fabric8.kubernetes.client.KubernetesClientException;

/** The answer of the API server to a create in a namespace that is being deleted. */
@Pure
public final class NamespaceTermination {
  private static final String CAUSE = "NamespaceTerminating";
  private static final String WORDS = "because it is being terminated";

  private NamespaceTermination() {}

  /**
   * Whether a request failed because its namespace is being deleted. The causes in the answer
   * decide; an answer without details is judged by its message.
   */
  public static boolean isCauseOf(KubernetesClientException failure) {
    if (failure.getCode() != 403) {
      return false;
    }
    var status = failure.getStatus();
    if (status != null && status.getDetails() != null && status.getDetails().getCauses() != null) {
      return status.getDetails().getCauses().stream()
          .anyMatch(cause -> CAUSE.equals(cause.getReason()));
    }
    var message =
        status != null && status.getMessage() != null ? status.getMessage() : failure.getMessage();
    return message != null && message.contains(WORDS);
  }
}

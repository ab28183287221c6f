package dev.runnerset.cli.cluster;

import dev.runnerset.base.Causes;
import dev.runnerset.kube.Denial;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.HttpURLConnection;

/** The cluster cannot be used at all; the message is one sentence for the user, without secrets. */
public class ClusterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A failure in a sentence. */
  public ClusterException(String sentence) {
    super(sentence);
  }

  /**
   * A request that failed, in a sentence that says what to change.
   *
   * @param url of the API server
   */
  public static ClusterException of(KubernetesClientException failure, String url) {
    return new ClusterException(sentence(failure, url));
  }

  /** The sentence. */
  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }

  private static String sentence(KubernetesClientException failure, String url) {
    return switch (failure.getCode()) {
      case HttpURLConnection.HTTP_UNAUTHORIZED ->
          "The API server at "
              + url
              + " does not accept your credentials: log in again, or choose another context with"
              + " --context";
      case HttpURLConnection.HTTP_FORBIDDEN ->
          Denial.of(failure)
              .map(denial -> Gap.of(denial).sentence())
              .orElseGet(() -> "The API server refuses: " + Denial.words(failure));
      case 0, -1 -> unreachable(failure, url); // -1 of a watch
      default ->
          "The API server answers %d: %s".formatted(failure.getCode(), Denial.words(failure));
    };
  }

  private static String unreachable(KubernetesClientException failure, String url) {
    var cause = failure.getCause() instanceof IOException io ? io : failure;
    return "No API server answers at %s (%s): start the cluster, or choose another context with --context"
        .formatted(url, Causes.innermost(cause));
  }
}

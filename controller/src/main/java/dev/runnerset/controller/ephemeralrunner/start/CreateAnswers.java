package dev.runnerset.controller.ephemeralrunner.start;

import dev.runnerset.controller.ephemeralrunner.start.CreateAnswer.Obstacle;
import dev.runnerset.kube.NamespaceTermination;
import dev.runnerset.kube.NotSentException;
import io.fabric8.kubernetes.client.KubernetesClientException;

/**
 * Which answers to a create prove that nothing was made. The server refuses with a 4xx before it
 * stores anything, and with a 500 where a webhook does not answer; a request that this process kept
 * back never gets there. Any other 5xx, a 408 of a proxy and a lost connection prove nothing: the
 * request may be carried out, even later. Pure.
 */
public final class CreateAnswers {
  private CreateAnswers() {}

  /** The answer in this failure; the failure itself is thrown where nothing is certain. */
  public static <T> CreateAnswer<T> of(KubernetesClientException e) {
    if (NotSentException.isCauseOf(e)) {
      return new CreateAnswer.NotNow<>(Obstacle.NOT_SENT, words(e));
    }
    return switch (e.getCode()) {
      case 400, 422 -> new CreateAnswer.Refused<>(words(e));
      case 401, 405, 406, 413, 415, 429 ->
          new CreateAnswer.NotNow<>(Obstacle.NOT_ACCEPTED, words(e));
      case 403 ->
          NamespaceTermination.isCauseOf(e)
              ? new CreateAnswer.NamespaceGone<>()
              : new CreateAnswer.NotNow<>(Obstacle.FORBIDDEN, words(e));
      case 404 -> new CreateAnswer.NamespaceGone<>();
      case 409 ->
          "Conflict".equals(reason(e)) // as of a quota that changed meanwhile
              ? new CreateAnswer.NotNow<>(Obstacle.NOT_ACCEPTED, words(e))
              : new CreateAnswer.AlreadyExists<>();
      case 500 -> {
        // admission, with its webhooks, comes before storage; etcd's own errors bear no reason
        if ("InternalError".equals(reason(e)) && words(e).contains("failed calling webhook")) {
          yield new CreateAnswer.NotNow<>(Obstacle.WEBHOOK_FAILED, words(e));
        }
        throw e;
      }
      default -> throw e;
    };
  }

  private static String reason(KubernetesClientException e) {
    var status = e.getStatus();
    return status == null || status.getReason() == null ? "" : status.getReason();
  }

  private static String words(KubernetesClientException e) {
    var status = e.getStatus();
    if (status != null && status.getMessage() != null) {
      return status.getMessage();
    }
    return e.getMessage() == null ? "refused with " + e.getCode() : e.getMessage();
  }
}

package dev.runnerset.controller.ephemeralrunner.start;

import dev.runnerset.crds.condition.RunnerReason;
import dev.runnerset.kube.Denial;
import dev.runnerset.kube.NamespaceTermination;
import dev.runnerset.kube.NotSentException;
import io.fabric8.kubernetes.client.KubernetesClientException;

/**
 * The API server's answer to a create. A failure that leaves open whether the object was made, or
 * will be, is no answer but an exception.
 */
public sealed interface CreateAnswer<T> {
  /** The object is stored, as {@code stored}. */
  record Created<T>(T stored) implements CreateAnswer<T> {}

  /** 409: an object of that name exists. */
  record AlreadyExists<T>() implements CreateAnswer<T> {}

  /** 400 or 422: the server never takes the object as it is. */
  record Refused<T>(String message) implements CreateAnswer<T> {}

  /** Certainly not made now, but maybe later: for a quota, or a webhook that does not answer. */
  record NotNow<T>(Obstacle obstacle, String message) implements CreateAnswer<T> {}

  /** What keeps the server from making an object now, and the reason of the runner's condition. */
  enum Obstacle {
    /** A quota has no room for it. */
    QUOTA(RunnerReason.SECRET_OVER_QUOTA, RunnerReason.POD_OVER_QUOTA),
    /** No role lets the controller make it. */
    ROLE(RunnerReason.PERMISSION_MISSING, RunnerReason.PERMISSION_MISSING),
    /** The policy of an installation for all namespaces, which knows one controller alone (SH3). */
    OTHER_INSTALLATION(
        RunnerReason.SECRET_FORBIDDEN, RunnerReason.POD_FORBIDDEN_BY_OTHER_INSTALLATION),
    /** The template names a service account that is not there. */
    SERVICE_ACCOUNT(RunnerReason.SECRET_FORBIDDEN, RunnerReason.SERVICE_ACCOUNT_MISSING),
    /** The template names a priority class that is not there. */
    PRIORITY_CLASS(RunnerReason.SECRET_FORBIDDEN, RunnerReason.PRIORITY_CLASS_MISSING),
    /** Another policy. */
    FORBIDDEN(RunnerReason.SECRET_FORBIDDEN, RunnerReason.POD_FORBIDDEN),
    /** A webhook that does not answer. */
    WEBHOOK_FAILED(RunnerReason.SECRET_WEBHOOK_FAILED, RunnerReason.POD_WEBHOOK_FAILED),
    /** The server did not take the request. */
    NOT_ACCEPTED(RunnerReason.SECRET_NOT_ACCEPTED, RunnerReason.POD_NOT_ACCEPTED),
    /** The request never left this process. */
    NOT_SENT(RunnerReason.SECRET_NOT_SENT, RunnerReason.POD_NOT_SENT);

    private final RunnerReason ofSecret;
    private final RunnerReason ofPod;

    Obstacle(RunnerReason ofSecret, RunnerReason ofPod) {
      this.ofSecret = ofSecret;
      this.ofPod = ofPod;
    }

    /** What forbids it: the server has no codes for these, but words that stay the same. */
    private static Obstacle of403(KubernetesClientException failure) {
      var words = Denial.words(failure);
      if (Denial.isOfQuota(failure)) {
        return QUOTA;
      }
      if (Denial.of(failure).isPresent()) {
        return ROLE;
      }
      if (words.contains("ValidatingAdmissionPolicy 'runnerset-shield'")) {
        return OTHER_INSTALLATION;
      }
      if (words.contains("service account")) {
        return SERVICE_ACCOUNT;
      }
      return words.contains("PriorityClass") ? PRIORITY_CLASS : FORBIDDEN;
    }

    /** The reason if the object is the secret. */
    public RunnerReason ofSecret() {
      return ofSecret;
    }

    /** The reason if the object is the pod. */
    public RunnerReason ofPod() {
      return ofPod;
    }
  }

  /** The namespace is being deleted, or gone. */
  record NamespaceGone<T>() implements CreateAnswer<T> {}

  /**
   * The answer in a failure. The server refuses with a 4xx before it stores anything, and with a
   * 500 where a webhook does not answer; a request that this process held back never got there. Any
   * other 5xx, the 408 of a proxy and a lost connection prove nothing: the request may be carried
   * out, even later.
   *
   * @throws KubernetesClientException the failure itself where it proves nothing
   */
  static <T> CreateAnswer<T> of(KubernetesClientException failure) {
    if (NotSentException.isCauseOf(failure)) {
      return new NotNow<>(Obstacle.NOT_SENT, Denial.words(failure));
    }
    return switch (failure.getCode()) {
      case 400, 422 -> new Refused<>(Denial.words(failure));
      case 401, 405, 406, 413, 415, 429 ->
          new NotNow<>(Obstacle.NOT_ACCEPTED, Denial.words(failure));
      case 403 ->
          NamespaceTermination.isCauseOf(failure)
              ? new NamespaceGone<>()
              : new NotNow<>(Obstacle.of403(failure), Denial.words(failure));
      case 404 -> new NamespaceGone<>();
      case 409 ->
          "Conflict".equals(reason(failure)) // as of a quota that changed meanwhile
              ? new NotNow<>(Obstacle.NOT_ACCEPTED, Denial.words(failure))
              : new AlreadyExists<>();
      case 500 -> {
        // admission, with its webhooks, comes before storage; etcd's own errors have no reason
        if ("InternalError".equals(reason(failure))
            && Denial.words(failure).contains("failed calling webhook")) {
          yield new NotNow<>(Obstacle.WEBHOOK_FAILED, Denial.words(failure));
        }
        throw failure;
      }
      default -> throw failure;
    };
  }

  private static String reason(KubernetesClientException failure) {
    var status = failure.getStatus();
    return status == null || status.getReason() == null ? "" : status.getReason();
  }
}

package dev.runnerset.listener.kube;

import dev.runnerset.base.ShortText;
import dev.runnerset.listener.session.context.KubeRefusal;
import dev.runnerset.listener.session.context.KubeRefusal.Kind;
import io.fabric8.kubernetes.client.KubernetesClientException;

/** What a failed request to the API server means to a listener. */
final class Refusals {
  private static final int MAX_MESSAGE = 500;

  private Refusals() {}

  /** The refusal; a failure that is no answer of the API server is returned as it is. */
  static RuntimeException of(RuntimeException failure) {
    if (!(failure instanceof KubernetesClientException e)) {
      return failure;
    }
    return new KubeRefusal(
        kind(e.getCode()), ShortText.of(String.valueOf(e.getMessage()), MAX_MESSAGE));
  }

  private static Kind kind(int code) {
    return switch (code) {
      case 404 -> Kind.GONE;
      case 409 -> Kind.STALE;
      case 422 -> Kind.TEST_FAILED;
      case 401, 403 -> Kind.FORBIDDEN;
      default -> Kind.UNAVAILABLE;
    };
  }
}

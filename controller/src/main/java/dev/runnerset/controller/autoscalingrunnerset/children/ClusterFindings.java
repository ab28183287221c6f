package dev.runnerset.controller.autoscalingrunnerset.children;

import dev.runnerset.base.Installation;
import dev.runnerset.controller.autoscalingrunnerset.children.ChildWriter.ForeignChildException;
import dev.runnerset.controller.autoscalingrunnerset.children.ChildWriter.ListenerNamespaceException;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.managerrole.RoleAdvice;
import dev.runnerset.controller.passes.FailedPasses;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.kube.Denial;
import dev.runnerset.kube.NamespaceTermination;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a user must know about a request that the API server refused. */
public final class ClusterFindings {
  private ClusterFindings() {}

  /** What to tell of any failure of a pass; null of a conflict, which the next pass ends. */
  public static @Nullable Finding ofPass(RuntimeException failure) {
    return switch (failure) {
      case ForeignChildException foreign ->
          new Finding(RunnerSetReason.CHILD_FOREIGN, String.valueOf(foreign.getMessage()));
      case ListenerNamespaceException goes ->
          new Finding(RunnerSetReason.NAMESPACE_TERMINATING, String.valueOf(goes.getMessage()));
      case KubernetesClientException refused ->
          refused.getCode() == HttpURLConnection.HTTP_CONFLICT ? null : of(refused);
      default -> new Finding(RunnerSetReason.INTERNAL_ERROR, FailedPasses.words(failure));
    };
  }

  public static Finding of(KubernetesClientException failure) {
    return of(failure, RoleAdvice::of);
  }

  /**
   * The finding for a refusal of the API server.
   *
   * @param advice what to change, from the API server's words; empty if they name no permission
   */
  static Finding of(KubernetesClientException failure, Function<String, Optional<String>> advice) {
    if (NamespaceTermination.isCauseOf(failure)) {
      return new Finding(
          RunnerSetReason.NAMESPACE_TERMINATING,
          "The namespace is being deleted: nothing more can be created in it");
    }
    var words = String.valueOf(failure.getMessage());
    return switch (failure.getCode()) {
      case 401, 403 ->
          new Finding(RunnerSetReason.CLUSTER_FORBIDDEN, forbidden(failure, words, advice));
      case 404 ->
          new Finding(
              RunnerSetReason.CLUSTER_NOT_FOUND,
              "A namespace or a resource kind is missing: run "
                  + Installation.UPGRADE
                  + ". "
                  + words);
      default ->
          new Finding(
              RunnerSetReason.CLUSTER_ERROR,
              "The API server refuses a request; the controller tries again. " + words);
    };
  }

  private static String forbidden(
      KubernetesClientException failure, String words, Function<String, Optional<String>> advice) {
    var denial = Denial.words(failure);
    return advice
        .apply(denial)
        .map(change -> "The controller lacks a permission: " + change + ". " + denial)
        .orElse(
            "The API server forbids what the controller asks: change the policy or the webhook that"
                + " refuses it; or run "
                + Installation.UPGRADE
                + ". "
                + words);
  }
}

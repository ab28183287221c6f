package dev.runnerset.cli.act;

import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.cluster.ClusterException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.List;

/** Sends an action to the API server, for the commands and for the page. */
public final class ActionWriter {
  private ActionWriter() {}

  /** What became of an action. */
  public enum Outcome {
    DONE,
    /** Nothing was written: somebody else has changed the object since it was read. */
    CHANGED_MEANWHILE,
    /** Nothing was written: the object is gone. */
    GONE
  }

  /**
   * Sends the one request of the action; blocks.
   *
   * @param isDryRun whether the API server only checks it
   * @throws ClusterException if the API server refuses or does not answer
   */
  public static Outcome send(Cluster cluster, Action action, boolean isDryRun) {
    var client = cluster.client();
    var context = PatchContext.of(PatchType.JSON_MERGE);
    if (isDryRun) {
      context.setDryRun(List.of("All"));
    }
    try {
      client
          .resource(action.target())
          .patch(context, client.getKubernetesSerialization().asJson(action.patch()));
      return Outcome.DONE;
    } catch (KubernetesClientException e) {
      return switch (e.getCode()) {
        case HttpURLConnection.HTTP_CONFLICT -> Outcome.CHANGED_MEANWHILE;
        case HttpURLConnection.HTTP_NOT_FOUND -> Outcome.GONE;
        default -> throw cluster.failed(e);
      };
    }
  }
}

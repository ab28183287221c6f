package dev.runnerset.controller.autoscalingrunnerset.children;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.kube.Denial;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Takes off the finalizer that former versions put on credentials secrets: it held up the rotation
 * of a secret by delete and create (DL4). One read of each secret for each set and process.
 * Thread-safe.
 */
public final class FormerSecretFinalizer {
  private final KubeApi kube;
  private final Map<String, Set<String>> seenByUid = new ConcurrentHashMap<>();

  public FormerSecretFinalizer(KubeApi kube) {
    this.kube = kube;
  }

  /**
   * Takes the finalizer off the secret of the set, and off the one that its listener object names,
   * which may be a former one; blocks for requests unless this process did so before.
   */
  public void takeOff(AutoScalingRunnerSet set, @Nullable AutoScalingListener listener) {
    takeOff(set, set.getSpec().githubConfigSecret().name());
    if (listener != null) {
      takeOff(set, listener.getSpec().githubConfigSecret().name());
    }
  }

  /** The set no longer exists. */
  public void forget(String uid) {
    seenByUid.remove(uid);
  }

  private void takeOff(AutoScalingRunnerSet set, String name) {
    var seen =
        seenByUid.computeIfAbsent(set.getMetadata().getUid(), uid -> ConcurrentHashMap.newKeySet());
    if (!seen.contains(name) && isLookedAt(set.getMetadata().getNamespace(), name)) {
      seen.add(name);
    }
  }

  /** False while no role lets us read the secret: what needs it tells so. */
  private boolean isLookedAt(String namespace, String name) {
    try {
      change(namespace, name);
      return true;
    } catch (KubernetesClientException e) {
      if (Denial.of(e).isEmpty()) {
        throw e;
      }
      return false;
    }
  }

  /**
   * The resourceVersion makes it a conflict when somebody else changes the finalizers meanwhile.
   */
  private void change(String namespace, String name) {
    var at = Resource.of(Secret.class, namespace, name);
    var secret = kube.get(Secret.class, at);
    if (secret == null || !secret.getMetadata().getFinalizers().contains(Labels.SECRET_FINALIZER)) {
      return;
    }
    var kept = new ArrayList<>(secret.getMetadata().getFinalizers());
    kept.remove(Labels.SECRET_FINALIZER);
    try {
      kube.merge(Secret.class, at, finalizers(secret.getMetadata().getResourceVersion(), kept));
    } catch (KubernetesClientException e) {
      if (e.getCode() != 404) {
        throw e;
      }
    }
  }

  private static ObjectNode finalizers(String resourceVersion, List<String> finalizers) {
    var body = JsonNodeFactory.instance.objectNode();
    var list =
        body.putObject("metadata").put("resourceVersion", resourceVersion).putArray("finalizers");
    finalizers.forEach(list::add);
    return body;
  }
}

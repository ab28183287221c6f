package dev.runnerset.controller.autoscalingrunnerset.children;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a finalizer on each credentials secret that a runner set uses. Without the secret, the
 * deletion of the set could not clean up at the service (DL4). Thread-safe.
 */
public final class CredentialsInUse {
  private final KubeApi kube;
  private final Map<String, Set<String>> heldByUid = new ConcurrentHashMap<>();
  private final Set<String> removeFinalizer = new HashSet<>(); // uids; guarded by this

  public CredentialsInUse(KubeApi kube) {
    this.kube = kube;
  }

  /** Adds the finalizer to the set's secret; blocks for requests unless this process added it. */
  public void hold(AutoScalingRunnerSet set) {
    var name = set.getSpec().githubConfigSecret().name();
    var held = held(set);
    if (!held.contains(name)) {
      change(set.getMetadata().getNamespace(), name, true);
      held.add(name);
    }
  }

  private Set<String> held(AutoScalingRunnerSet set) {
    return heldByUid.computeIfAbsent(
        set.getMetadata().getUid(), uid -> ConcurrentHashMap.newKeySet());
  }

  /**
   * Removes the finalizer from the secrets that the set named before: those that this process held,
   * and the one in the listener object. The listener object is written last, so after a crash it
   * still names the old secret, which is released then.
   */
  public void releaseFormer(
      AutoScalingRunnerSet set,
      @Nullable AutoScalingListener listener,
      Collection<AutoScalingRunnerSet> all) {
    var held = held(set);
    var former = new HashSet<>(held);
    if (listener != null) {
      former.add(listener.getSpec().githubConfigSecret().name());
    }
    former.remove(set.getSpec().githubConfigSecret().name());
    for (var name : former) {
      removeFinalizer(set, name, all);
      held.remove(name); // so that it is held again if the set returns to it
    }
  }

  /** Removes the finalizer if no other set uses the secret; call it last when a set is deleted. */
  public void release(AutoScalingRunnerSet set, Collection<AutoScalingRunnerSet> all) {
    // INVARIANT: of two sets that go at once, the second to come here sees the first one's mark
    synchronized (this) {
      removeFinalizer.retainAll(all.stream().map(other -> other.getMetadata().getUid()).toList());
      removeFinalizer.add(set.getMetadata().getUid());
    }
    removeFinalizer(set, set.getSpec().githubConfigSecret().name(), all);
    heldByUid.remove(set.getMetadata().getUid());
  }

  private void removeFinalizer(
      AutoScalingRunnerSet set, String name, Collection<AutoScalingRunnerSet> all) {
    Set<String> gone;
    synchronized (this) {
      gone = Set.copyOf(removeFinalizer);
    }
    var namespace = set.getMetadata().getNamespace();
    boolean wanted =
        all.stream()
            .filter(other -> !other.getMetadata().getUid().equals(set.getMetadata().getUid()))
            .filter(other -> !gone.contains(other.getMetadata().getUid()))
            .filter(other -> namespace.equals(other.getMetadata().getNamespace()))
            .anyMatch(other -> name.equals(other.getSpec().githubConfigSecret().name()));
    if (!wanted) {
      change(namespace, name, false);
    }
  }

  /**
   * The resourceVersion makes it a conflict when somebody else changes the finalizers meanwhile.
   */
  private void change(String namespace, String name, boolean hold) {
    var at = Resource.of(Secret.class, namespace, name);
    var secret = kube.get(Secret.class, at);
    if (secret == null) {
      return;
    }
    var finalizers = new ArrayList<>(secret.getMetadata().getFinalizers());
    boolean held = finalizers.contains(Labels.SECRET_FINALIZER);
    if (held == hold || (hold && ChildWriter.isTerminating(secret))) {
      return;
    }
    if (hold) {
      finalizers.add(Labels.SECRET_FINALIZER);
    } else {
      finalizers.remove(Labels.SECRET_FINALIZER);
    }
    try {
      kube.merge(
          Secret.class, at, finalizers(secret.getMetadata().getResourceVersion(), finalizers));
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

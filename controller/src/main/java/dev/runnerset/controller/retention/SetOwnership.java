package dev.runnerset.controller.retention;

import dev.runnerset.crd.AutoScalingRunnerSet;
import dev.runnerset.crd.EphemeralRunner;
import dev.runnerset.crd.EphemeralRunnerSet;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Whether a runner is a set's own: a label can be written by anybody, so the owners are followed by
 * uid, runner to EphemeralRunnerSet to set. The middle link is read once a uid, since it never
 * changes. Thread-safe.
 */
final class SetOwnership {
  /** Remembered at most; more are read again. */
  private static final int LIMIT = 10_000;

  private final KubeApi kube;
  private final Map<String, String> setUidByOwnerUid = new ConcurrentHashMap<>();

  SetOwnership(KubeApi kube) {
    this.kube = kube;
  }

  /** Blocks for a request when the runner's owner is not known yet. */
  boolean isOwn(EphemeralRunner runner, AutoScalingRunnerSet set) {
    var owner = controller(runner).filter(o -> "EphemeralRunnerSet".equals(o.getKind()));
    return owner.isPresent()
        && set.getMetadata()
            .getUid()
            .equals(setUid(runner.getMetadata().getNamespace(), owner.get()));
  }

  private String setUid(String namespace, OwnerReference owner) {
    var known = setUidByOwnerUid.get(owner.getUid());
    if (known != null) {
      return known;
    }
    var at = Resource.of(EphemeralRunnerSet.class, namespace, owner.getName());
    var found = kube.get(EphemeralRunnerSet.class, at);
    if (found == null || !owner.getUid().equals(found.getMetadata().getUid())) {
      return "";
    }
    var uid = controller(found).map(OwnerReference::getUid).orElse("");
    if (setUidByOwnerUid.size() >= LIMIT) {
      setUidByOwnerUid.clear();
    }
    setUidByOwnerUid.put(owner.getUid(), uid);
    return uid;
  }

  /** The controlling owner, wherever it stands in the list. */
  private static Optional<OwnerReference> controller(HasMetadata object) {
    return object.getMetadata().getOwnerReferences().stream()
        .filter(o -> Boolean.TRUE.equals(o.getController()))
        .findFirst();
  }
}

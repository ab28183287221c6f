package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.controller.autoscalinglistener.AutoScalingListenerReconciler.WithoutSet;
import dev.runnerset.controller.autoscalingrunnerset.children.ChildWriter;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.ownership.Meta;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.condition.EventReason;
import dev.runnerset.kube.Denial;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes a listener object whose set is gone, and what else the set left (DL9): somebody took the
 * finalizers off by hand, and its session would stay open and take jobs. Sets are searched for in
 * the cache first, and then at the API server. Thread-safe.
 *
 * @param watched the namespaces whose sets are seen; empty for all
 * @param cached the set of that name in the cache
 */
public record ListenersWithoutSet(
    KubeApi kube,
    ChildWriter children,
    Events events,
    Set<String> watched,
    Function<SetKey, Optional<AutoScalingRunnerSet>> cached)
    implements WithoutSet {
  private static final Logger LOG = LoggerFactory.getLogger(ListenersWithoutSet.class);

  public ListenersWithoutSet {
    watched = Set.copyOf(watched);
  }

  @Override
  public void sweep(AutoScalingListener listener) {
    if (isGone(listener) && kube.delete(Resource.of(listener), Preconditions.unchanged(listener))) {
      var key = setOf(listener);
      var spec = listener.getSpec();
      var name = spec.scaleSet() == null ? null : spec.scaleSet().name();
      LOG.atWarn()
          .addKeyValue("listener", listener.getMetadata().getName())
          .addKeyValue("namespace", key.namespace())
          .addKeyValue("set", key.name())
          .addKeyValue("scaleSetId", spec.scaleSetId())
          .addKeyValue("scaleSet", name)
          .log("deleted a listener object whose set is gone; its scale set is left at the service");
      events.warn(
          listener,
          EventReason.SCALE_SET_LEFT,
          ("The set %s/%s is gone, and its scale set%s (%d) may still be at %s: delete it there if it is"
                  + " not needed, or set spec.adoptScaleSetId: %4$d on a new set of that name")
              .formatted(
                  key.namespace(),
                  key.name(),
                  name == null ? "" : " '" + name + "'",
                  spec.scaleSetId(),
                  spec.githubConfigUrl()));
    }
  }

  @Override
  public void removeRest(AutoScalingListener listener) {
    var uid = uid(listener);
    if (uid == null || !isGone(listener)) {
      return;
    }
    var key = setOf(listener);
    var gone = new AutoScalingRunnerSet();
    gone.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(key.namespace())
            .withName(key.name())
            .withUid(uid)
            .build());
    try {
      children.revoke(gone);
      children.removeBudget(gone);
    } catch (KubernetesClientException e) {
      if (Denial.of(e).isEmpty()) {
        throw e;
      }
      LOG.atWarn()
          .addKeyValue("namespace", key.namespace())
          .addKeyValue("set", key.name())
          .addKeyValue("why", e.getMessage())
          .log("role, role binding and budget of a set that is gone stay");
    }
  }

  private boolean isGone(AutoScalingListener listener) {
    var key = setOf(listener);
    if (key.name().isEmpty() || (!watched.isEmpty() && !watched.contains(key.namespace()))) {
      return false;
    }
    var uid = uid(listener);
    if (cached.apply(key).filter(set -> isOf(set, uid)).isPresent()) {
      return false;
    }
    var at = Resource.of(AutoScalingRunnerSet.class, key.namespace(), key.name());
    var live = kube.get(AutoScalingRunnerSet.class, at);
    return live == null || !isOf(live, uid);
  }

  private static boolean isOf(AutoScalingRunnerSet set, @Nullable String uid) {
    return uid == null || uid.equals(set.getMetadata().getUid());
  }

  private static SetKey setOf(AutoScalingListener listener) {
    var labels = Meta.labels(listener);
    return Labels.COMPONENT_LISTENER.equals(labels.get(Labels.COMPONENT))
            && labels.get(Labels.SET) != null
            && labels.get(Labels.SET_NAMESPACE) != null
        ? new SetKey(labels.get(Labels.SET_NAMESPACE), labels.get(Labels.SET))
        : new SetKey("", "");
  }

  private static @Nullable String uid(AutoScalingListener listener) {
    return Meta.annotations(listener).get(Labels.SET_UID);
  }
}

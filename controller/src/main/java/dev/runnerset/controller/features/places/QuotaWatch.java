package dev.runnerset.controller.features.places;

import dev.runnerset.controller.features.capacity.Quota;
import dev.runnerset.controller.rounds.Informers;
import dev.runnerset.controller.rounds.RefusedList;
import dev.runnerset.kube.KubeApi;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The quotas of all namespaces with sets; of each only limits, use and scopes are kept.
 * Thread-safe.
 */
public final class QuotaWatch extends Informers {
  private static final Logger LOG = LoggerFactory.getLogger(QuotaWatch.class);

  private final List<RefusedList> refused = new ArrayList<>();
  private final Map<String, Map<String, Quota>> byNameByNamespace = new ConcurrentHashMap<>();
  private volatile Consumer<String> changed = namespace -> {};

  /**
   * Follows nothing before it begins; goes on trying where quotas cannot be read.
   *
   * @param namespaces to watch; empty for all
   */
  public QuotaWatch(KubernetesClient client, Set<String> namespaces) {
    var places =
        namespaces.isEmpty()
            ? Stream.of(client.resourceQuotas().inAnyNamespace())
            : namespaces.stream().map(client.resourceQuotas()::inNamespace);
    places.map(place -> place.withLimit(KubeApi.PAGE).runnableInformer(0)).forEach(this::follow);
  }

  private void follow(SharedIndexInformer<ResourceQuota> informer) {
    var list =
        new RefusedList(
            informer::lastSyncResourceVersion,
            LOG,
            "quotas cannot be watched, so they limit no set before they refuse a runner; let the"
                + " controller list and watch resourcequotas (docs/operate/capacity.md); tried again");
    add(informer, QuotaWatch::slim, list::failed, new Come(list));
    refused.add(list);
  }

  /** From now on that gets each namespace in which a quota has changed; it must not block. */
  public void onChange(Consumer<String> heard) {
    changed = heard;
  }

  /**
   * The quotas of a namespace that the API server has computed; none where they may not be read.
   *
   * @return empty while the first list is on its way
   */
  public Optional<List<Quota>> of(String namespace) {
    if (refused.stream().anyMatch(RefusedList::isRefused)) {
      return Optional.of(List.of());
    }
    return haveSynced()
        ? Optional.of(List.copyOf(byNameByNamespace.getOrDefault(namespace, Map.of()).values()))
        : Optional.empty();
  }

  /** The store of an informer needs no more; what is needed here is kept here. */
  private static ResourceQuota slim(ResourceQuota full) {
    var slim = new ResourceQuota();
    slim.setMetadata(identity(full).build());
    slim.setSpec(full.getSpec());
    slim.setStatus(full.getStatus());
    return slim;
  }

  private final class Come implements ResourceEventHandler<ResourceQuota> {
    private final RefusedList list;

    Come(RefusedList list) {
      this.list = list;
    }

    @Override
    public void onAdd(ResourceQuota quota) {
      list.worked(); // else the change would find no quotas
      if (isComputed(quota)) {
        put(quota);
      }
    }

    /** Before the first status nothing is known of what is used; it comes in a moment. */
    private static boolean isComputed(ResourceQuota quota) {
      return quota.getStatus() != null
          && quota.getStatus().getHard() != null
          && !quota.getStatus().getHard().isEmpty();
    }

    private void put(ResourceQuota quota) {
      var now = Quota.of(quota);
      var namespace = quota.getMetadata().getNamespace();
      var before =
          byNameByNamespace
              .computeIfAbsent(namespace, key -> new ConcurrentHashMap<>())
              .put(now.name(), now);
      if (!now.equals(before)) {
        changed.accept(namespace);
      }
    }

    @Override
    public void onUpdate(ResourceQuota before, ResourceQuota now) {
      onAdd(now);
    }

    @Override
    public void onDelete(ResourceQuota quota, boolean finalStateUnknown) {
      var meta = quota.getMetadata();
      var quotas = byNameByNamespace.get(meta.getNamespace());
      if (quotas != null && quotas.remove(meta.getName()) != null) {
        changed.accept(meta.getNamespace());
      }
    }
  }
}

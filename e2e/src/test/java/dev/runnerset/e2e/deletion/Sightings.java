package dev.runnerset.e2e.deletion;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The sets, runners and pods of all namespaces as the API server tells of them, and when each was
 * gone. Thread-safe.
 */
final class Sightings implements AutoCloseable {
  private final Clock clock;
  private final Map<String, Instant> goneByUid = new ConcurrentHashMap<>();
  private final SharedIndexInformer<AutoScalingRunnerSet> sets;
  private final SharedIndexInformer<EphemeralRunner> runners;
  private final SharedIndexInformer<Pod> pods;

  Sightings(KubernetesClient kube, Clock clock) {
    this.clock = clock;
    sets = kube.resources(AutoScalingRunnerSet.class).inAnyNamespace().inform(new Ends<>());
    runners = kube.resources(EphemeralRunner.class).inAnyNamespace().inform(new Ends<>());
    pods = kube.pods().inAnyNamespace().inform(new Ends<>());
  }

  /** The only set of a namespace. */
  Optional<AutoScalingRunnerSet> set(String namespace) {
    return of(sets, namespace).stream().findFirst();
  }

  List<EphemeralRunner> runners(String namespace) {
    return of(runners, namespace);
  }

  List<Pod> pods(String namespace) {
    return of(pods, namespace);
  }

  private static <T extends HasMetadata> List<T> of(
      SharedIndexInformer<T> informer, String namespace) {
    return informer.getStore().list().stream()
        .filter(object -> namespace.equals(object.getMetadata().getNamespace()))
        .toList();
  }

  /** When the object was seen to be gone; null while it is there. */
  @Nullable Instant gone(String uid) {
    return goneByUid.get(uid);
  }

  private final class Ends<T extends HasMetadata> implements ResourceEventHandler<T> {
    @Override
    public void onAdd(T object) {}

    @Override
    public void onUpdate(T before, T object) {}

    @Override
    public void onDelete(T object, boolean unknown) {
      goneByUid.put(object.getMetadata().getUid(), clock.instant());
    }
  }

  @Override
  public void close() {
    sets.close();
    runners.close();
    pods.close();
  }
}

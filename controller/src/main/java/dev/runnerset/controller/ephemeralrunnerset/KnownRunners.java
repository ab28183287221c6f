package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import io.javaoperatorsdk.operator.api.reconciler.IndexedResourceCache;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The EphemeralRunnerSets and runners that the caches hold. Thread-safe. */
public interface KnownRunners {
  Stream<EphemeralRunnerSet> sets();

  Optional<EphemeralRunnerSet> set(String namespace, String name);

  /** All runners with the label of the set, its own or not. */
  Set<EphemeralRunner> labelled(EphemeralRunnerSet set);

  Optional<EphemeralRunner> runner(String namespace, String name);

  /** Puts a runner that was just made into the cache, before its event comes. */
  void remember(EphemeralRunner made);

  /** The highest resourceVersion of a runner of that namespace that the watch brought; or 0. */
  long delivered(String namespace);

  /** Those of the framework's caches. */
  static KnownRunners of(
      IndexedResourceCache<EphemeralRunnerSet> sets,
      InformerEventSource<EphemeralRunner, EphemeralRunnerSet> runners,
      Map<String, Long> deliveredByNamespace) {
    return new KnownRunners() {
      @Override
      public Stream<EphemeralRunnerSet> sets() {
        return sets.list();
      }

      @Override
      public Optional<EphemeralRunnerSet> set(String namespace, String name) {
        return sets.get(new ResourceID(name, namespace));
      }

      @Override
      public Set<EphemeralRunner> labelled(EphemeralRunnerSet set) {
        return runners.getSecondaryResources(set);
      }

      @Override
      public Optional<EphemeralRunner> runner(String namespace, String name) {
        return runners.get(new ResourceID(name, namespace));
      }

      @Override
      public void remember(EphemeralRunner made) {
        runners.handleRecentResourceCreate(ResourceID.fromResource(made), made);
      }

      @Override
      public long delivered(String namespace) {
        return deliveredByNamespace.getOrDefault(namespace, 0L);
      }
    };
  }
}

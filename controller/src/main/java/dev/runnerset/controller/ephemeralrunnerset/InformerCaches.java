package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import io.javaoperatorsdk.operator.api.reconciler.IndexedResourceCache;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The caches of {@link EphemeralRunnerSetReconciler}, for other reconcilers, too; empty before it
 * starts. Thread-safe.
 */
public final class InformerCaches implements SetCaches {
  private final SetMemory.ByUid memories = new SetMemory.ByUid();
  private volatile @Nullable IndexedResourceCache<EphemeralRunnerSet> sets;
  private volatile @Nullable InformerEventSource<EphemeralRunner, EphemeralRunnerSet> runners;

  void open(
      IndexedResourceCache<EphemeralRunnerSet> ofSets,
      InformerEventSource<EphemeralRunner, EphemeralRunnerSet> ofRunners) {
    sets = ofSets;
    runners = ofRunners;
  }

  /** The set of that name. */
  @Override
  public Optional<EphemeralRunnerSet> set(String namespace, String name) {
    var opened = sets;
    return opened == null ? Optional.empty() : opened.get(new ResourceID(name, namespace));
  }

  @Override
  public Set<EphemeralRunner> labelled(EphemeralRunnerSet set) {
    var opened = runners;
    return opened == null ? Set.of() : opened.getSecondaryResources(set);
  }

  @Override
  public Optional<EphemeralRunner> runner(String namespace, String name) {
    var opened = runners;
    return opened == null ? Optional.empty() : opened.get(new ResourceID(name, namespace));
  }

  @Override
  public void remember(EphemeralRunner made) {
    var opened = runners;
    if (opened != null) {
      opened.handleRecentResourceCreate(ResourceID.fromResource(made), made);
    }
  }

  @Override
  public SetMemory memory(EphemeralRunnerSet set) {
    return memories.of(set.getMetadata().getUid(), this::uids);
  }

  private Set<String> uids() {
    var opened = sets;
    return opened == null
        ? Set.of()
        : opened.list().map(set -> set.getMetadata().getUid()).collect(Collectors.toSet());
  }
}

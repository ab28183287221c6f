package dev.runnerset.controller.replicas;

import dev.runnerset.controller.gc.SetKey;
import dev.runnerset.controller.gc.SetRunners;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.crd.EphemeralRunner;
import dev.runnerset.crd.EphemeralRunnerSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** {@link SetRunners} from the caches; what it removes goes as a pass of scale-down would. */
final class CachedSetRunners implements SetRunners {
  private final RunnerGathering gathering;
  private final ReplicasActions actions;
  private final Source source;

  /** The caches, and what the process remembers of a set. */
  interface Source {
    Optional<EphemeralRunnerSet> set(String namespace, String name);

    Set<EphemeralRunner> labelled(EphemeralRunnerSet set);

    SetMemory memory(EphemeralRunnerSet set);
  }

  CachedSetRunners(RunnerGathering gathering, ReplicasActions actions, Source source) {
    this.gathering = gathering;
    this.actions = actions;
    this.source = source;
  }

  @Override
  public Optional<Picture> of(SetKey key) {
    return source.set(key.namespace(), key.name()).map(this::picture);
  }

  private Picture picture(EphemeralRunnerSet set) {
    return new Picture(
        gathering.aged(set, source.labelled(set), source.memory(set)),
        RunnerGathering.status(set).demand());
  }

  @Override
  public int collect(SetKey key, RemovalPlan plan, IntSupplier allowedNow) {
    var found = source.set(key.namespace(), key.name());
    if (found.isEmpty()) {
      return 0;
    }
    var set = found.get();
    return actions
        .pass(set, plan, uid -> stillIdle(set, uid), source.memory(set), allowedNow)
        .removed();
  }

  /** As the cache has it now: a job or somebody's deletion may have come since it was chosen. */
  private @Nullable EphemeralRunner stillIdle(EphemeralRunnerSet set, String uid) {
    return source.labelled(set).stream()
        .filter(r -> r.getMetadata().getUid().equals(uid))
        .filter(r -> r.getMetadata().getDeletionTimestamp() == null)
        .filter(r -> r.getStatus() != null && !r.getStatus().isBusy())
        .findFirst()
        .orElse(null);
  }
}

package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.caches.RunnerCache;
import dev.runnerset.controller.caches.SharedCache;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The caches that reconcilers share.
 *
 * @param ofSets opened by {@link EphemeralRunnerSetReconciler}
 * @param ofRunners opened by the runners' reconciler
 * @param withDemand puts the demand of its set into an EphemeralRunnerSet
 */
public record SharedCaches(
    SharedCache<EphemeralRunnerSet> ofSets,
    RunnerCache ofRunners,
    UnaryOperator<EphemeralRunnerSet> withDemand)
    implements KnownRunners {
  @Override
  public Stream<EphemeralRunnerSet> sets() {
    return ofSets.all().map(withDemand);
  }

  @Override
  public Optional<EphemeralRunnerSet> set(String namespace, String name) {
    return ofSets.find(namespace, name).map(withDemand);
  }

  @Override
  public Stream<EphemeralRunner> labelled(SetKey set) {
    return ofRunners.labelled(set);
  }

  @Override
  public Set<String> takeChanged(SetKey set) {
    return ofRunners.takeChanged(set);
  }

  @Override
  public Optional<EphemeralRunner> runner(String namespace, String name) {
    return ofRunners.find(namespace, name);
  }

  @Override
  public void remember(EphemeralRunner made) {
    ofRunners.created(made);
    ofRunners.trigger(made); // the event of the watch comes later in a burst
  }

  @Override
  public long delivered(String namespace) {
    return ofRunners.delivered(namespace);
  }
}

package dev.runnerset.controller.caches;

import dev.runnerset.controller.ownership.Meta;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The one cache of runners, by their sets. Thread-safe. */
public final class RunnerCache extends SharedCache<EphemeralRunner> {
  /** The framework's index of its cache lacks what was just made. */
  private final Map<SetKey, Set<String>> namesBySet = new ConcurrentHashMap<>();

  /** What changed since it was taken, for each set of which somebody takes it. */
  private final Map<SetKey, Set<String>> changedBySet = new ConcurrentHashMap<>();

  /** The highest resourceVersion that the watch brought; our own writes do not count. */
  private final Map<String, Long> deliveredByNamespace = new ConcurrentHashMap<>();

  /** A cache that nobody has opened. */
  public RunnerCache() {
    super("runners");
  }

  /** The set whose label the runner has. */
  public static Optional<SetKey> setOf(EphemeralRunner runner) {
    return Optional.ofNullable(Meta.labels(runner).get(Labels.SET))
        .map(name -> new SetKey(runner.getMetadata().getNamespace(), name));
  }

  /** All runners with the label of the set, its own or not, each once. */
  public Stream<EphemeralRunner> labelled(SetKey set) {
    return namesBySet.getOrDefault(set, Set.of()).stream()
        .flatMap(name -> find(set.namespace(), name).stream());
  }

  /**
   * The names of the runners with the label of the set that came, changed or went since the last
   * call; nothing at the first.
   */
  public Set<String> takeChanged(SetKey set) {
    var names = changedBySet.put(set, ConcurrentHashMap.newKeySet());
    return names == null ? Set.of() : names;
  }

  /** From now on nobody takes what changes of the set. */
  public void setIsGone(SetKey set) {
    changedBySet.remove(set);
  }

  /** Something else than the cache has changed of the runner. */
  public void touch(EphemeralRunner runner) {
    setOf(runner)
        .ifPresent(set ->
            changedBySet.computeIfPresent(
                set,
                (key, names) -> {
                  names.add(runner.getMetadata().getName());
                  return names;
                }));
  }

  /** The highest resourceVersion of a runner of that namespace that the watch brought; or 0. */
  public long delivered(String namespace) {
    return deliveredByNamespace.getOrDefault(namespace, 0L);
  }

  @Override
  public void created(HasMetadata made) {
    super.created(made);
    put((EphemeralRunner) made);
  }

  @Override
  public void changed(HasMetadata before, HasMetadata after) {
    super.changed(before, after);
    touch((EphemeralRunner) after);
  }

  @Override
  public void onResourceCreated(EphemeralRunner runner) {
    delivered(runner);
    put(runner);
    super.onResourceCreated(runner);
  }

  @Override
  public void onResourceUpdated(EphemeralRunner runner, EphemeralRunner before) {
    delivered(runner);
    put(runner);
    if (!setOf(before).equals(setOf(runner))) {
      remove(before);
      super.onResourceUpdated(before, before); // its former set has one runner less
    }
    super.onResourceUpdated(runner, before);
  }

  @Override
  public void onResourceDeleted(EphemeralRunner runner) {
    delivered(runner);
    remove(runner);
    super.onResourceDeleted(runner);
  }

  /** Before a set is triggered: it may wait for that version (SD11). */
  private void delivered(EphemeralRunner runner) {
    deliveredByNamespace.merge(
        runner.getMetadata().getNamespace(), Resource.version(runner), Math::max);
  }

  private void put(EphemeralRunner runner) {
    setOf(runner)
        .ifPresent(set ->
            namesBySet.compute(
                set,
                (key, known) -> {
                  var names = known == null ? ConcurrentHashMap.<String>newKeySet() : known;
                  names.add(runner.getMetadata().getName());
                  return names;
                }));
    touch(runner);
  }

  private void remove(EphemeralRunner runner) {
    setOf(runner)
        .ifPresent(set ->
            namesBySet.computeIfPresent(
                set,
                (key, names) -> {
                  names.remove(runner.getMetadata().getName());
                  return names.isEmpty() ? null : names;
                }));
    touch(runner);
  }
}

package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.caches.RunnerCache;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.removal.RemovalRequestGate;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The caches of {@link EphemeralRunnerSetReconciler}, for other reconcilers, too; empty before it
 * starts. Thread-safe.
 */
public final class InformerCaches implements RemovalRequestGate {
  private final Map<String, SetMemory> memoryByUid = new ConcurrentHashMap<>();
  private final KnownRunners known;

  /** Reads those caches. */
  public InformerCaches(KnownRunners known) {
    this.known = known;
  }

  /** The set of that name. */
  public Optional<EphemeralRunnerSet> set(String namespace, String name) {
    return known.set(namespace, name);
  }

  /** All sets. */
  Stream<EphemeralRunnerSet> sets() {
    return known.sets();
  }

  /** The sets that have a runner on that node. */
  Stream<EphemeralRunnerSet> setsOn(String node) {
    return sets()
        .filter(set ->
            labelled(set).stream()
                .anyMatch(runner -> node.equals(runner.statusOrNone().nodeName())));
  }

  /** All runners with the label of the set, its own or not. */
  Set<EphemeralRunner> labelled(EphemeralRunnerSet set) {
    return known.labelled(set);
  }

  /**
   * The runners with the label of the set that came, changed or went since the last call, by name;
   * all of them while no pass has seen the set. Empty for one that went, or lost its label.
   */
  Map<String, Optional<EphemeralRunner>> takeChanged(EphemeralRunnerSet set) {
    var key = SetKey.of(set);
    var names = new LinkedHashSet<>(known.takeChanged(key)); // before the runners are read
    if (memory(set).runners().isUnseen()) {
      labelled(set).forEach(runner -> names.add(runner.getMetadata().getName()));
    }
    var changed = new LinkedHashMap<String, Optional<EphemeralRunner>>();
    for (var name : names) {
      var runner = known.runner(key.namespace(), name);
      changed.put(name, runner.filter(one -> RunnerCache.setOf(one).equals(Optional.of(key))));
    }
    return changed;
  }

  /** The highest resourceVersion of a runner of that namespace that the watch brought; or 0. */
  long delivered(String namespace) {
    return known.delivered(namespace);
  }

  Optional<EphemeralRunner> runner(String namespace, String name) {
    return known.runner(namespace, name);
  }

  /** Puts a runner that was just made into the cache, before its event comes. */
  void remember(EphemeralRunner made) {
    known.remember(made);
  }

  /** What the process remembers of a set. */
  SetMemory memory(EphemeralRunnerSet set) {
    return memoryByUid.computeIfAbsent(set.getMetadata().getUid(), uid -> new SetMemory());
  }

  @Override
  public boolean begin(EphemeralRunnerSet set, Instant now) {
    return memory(set).removals().begin(now);
  }

  @Override
  public void end(EphemeralRunnerSet set, RunnerRemover.Outcome outcome, Instant now) {
    memory(set).removals().end(outcome, false, now);
  }

  /** The cache has the set no more. */
  void isGone(EphemeralRunnerSet set) {
    memoryByUid.remove(set.getMetadata().getUid());
  }
}

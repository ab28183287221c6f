package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.nodes.CordonedNodes;
import dev.runnerset.controller.removal.RemovalRequestGate;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The caches of {@link EphemeralRunnerSetReconciler}, for other reconcilers, too; empty before it
 * starts. Thread-safe.
 */
public final class InformerCaches implements SetCaches, RemovalRequestGate {
  private final Memories memories = new Memories();
  private final Map<String, SetMemory> memoryByUid = memories.byUid();
  private final CordonedNodes cordons = new CordonedNodes();
  private volatile @Nullable KnownRunners known;

  /** The nodes that take no pods; filled from elsewhere. */
  public CordonedNodes cordons() {
    return cordons;
  }

  /** The sets that have a runner on that node. */
  Stream<EphemeralRunnerSet> setsOn(String node) {
    var opened = known;
    return opened == null
        ? Stream.empty()
        : opened
            .sets()
            .filter(set ->
                opened.labelled(set).stream()
                    .anyMatch(runner -> node.equals(runner.statusOrNone().nodeName())));
  }

  /** From now on these are the sets and runners. */
  public void open(KnownRunners opened) {
    known = opened;
  }

  /** The set of that name. */
  @Override
  public Optional<EphemeralRunnerSet> set(String namespace, String name) {
    var opened = known;
    return opened == null ? Optional.empty() : opened.set(namespace, name);
  }

  /** All sets. */
  List<EphemeralRunnerSet> sets() {
    var opened = known;
    return opened == null ? List.of() : opened.sets().toList();
  }

  @Override
  public Set<EphemeralRunner> labelled(EphemeralRunnerSet set) {
    var opened = known;
    return opened == null ? Set.of() : opened.labelled(set);
  }

  /** The highest resourceVersion of a runner of that namespace that the watch brought; or 0. */
  long delivered(String namespace) {
    var opened = known;
    return opened == null ? 0 : opened.delivered(namespace);
  }

  @Override
  public Optional<EphemeralRunner> runner(String namespace, String name) {
    var opened = known;
    return opened == null ? Optional.empty() : opened.runner(namespace, name);
  }

  @Override
  public void remember(EphemeralRunner made) {
    var opened = known;
    if (opened != null) {
      opened.remember(made);
    }
  }

  @Override
  public SetMemory memory(EphemeralRunnerSet set) {
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

  /** Forgets the sets that are gone, now and then. */
  void forgetGone(Instant now) {
    var _ = memories.keepOnly(now, this::uids);
  }

  private Set<String> uids() {
    var opened = known;
    return opened == null
        ? Set.of()
        : opened.sets().map(set -> set.getMetadata().getUid()).collect(Collectors.toSet());
  }
}

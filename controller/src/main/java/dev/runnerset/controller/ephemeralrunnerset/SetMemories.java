package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.caches.RunnerCache;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
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

/** What the process remembers of the EphemeralRunnerSets beside the caches. Thread-safe. */
public final class SetMemories implements RemovalRequestGate {
  private static final Slot<SetMemory> MEMORY = new Slot<>();

  private final Memories memories = new Memories();
  private final KnownRunners known;

  /** Nothing is remembered yet. */
  public SetMemories(KnownRunners known) {
    this.known = known;
  }

  /** The runners in the cache. */
  KnownRunners known() {
    return known;
  }

  /**
   * The runners with the label of the set that came, changed or went since the last pass, or of
   * whose removal something changed, by name; all of them at first, and after a pass that failed.
   * Empty for one that went, or lost its label.
   */
  Map<String, Optional<EphemeralRunner>> takeChanged(EphemeralRunnerSet set) {
    var key = SetKey.of(set);
    var names = new LinkedHashSet<>(known.takeChanged(key)); // before the runners are read
    var runners = memory(set).runners();
    names.addAll(runners.takeChanged(memory(set).removals()));
    if (runners.startsOver()) {
      names.addAll(runners.names());
      known.labelled(key).forEach(runner -> names.add(runner.getMetadata().getName()));
    }
    var changed = new LinkedHashMap<String, Optional<EphemeralRunner>>();
    for (var name : names) {
      var runner = known.runner(key.namespace(), name);
      changed.put(name, runner.filter(one -> RunnerCache.setOf(one).equals(Optional.of(key))));
    }
    return changed;
  }

  /** What the process remembers of a set. */
  SetMemory memory(EphemeralRunnerSet set) {
    var slots = memories.of(set);
    return slots.begin(MEMORY, () -> new SetMemory(slots));
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
    memories.isGone(set.getMetadata().getUid());
  }
}

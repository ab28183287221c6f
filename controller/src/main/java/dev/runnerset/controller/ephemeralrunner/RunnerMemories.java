package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.controller.ephemeralrunner.lifecycle.RemovalState;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerMemory;
import dev.runnerset.controller.ephemeralrunner.lifecycle.StartState;
import dev.runnerset.controller.memory.Memories;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * What this process knows of runners beside the caches, by uid. Thread-safe; one runner is
 * reconciled by one thread at a time.
 */
final class RunnerMemories {
  private final Memories all;
  private final Map<String, RunnerMemory> memoryByUid;

  RunnerMemories(Memories all) {
    this.all = all;
    memoryByUid = all.byUid();
  }

  /** A map for what one part remembers of runners; thread-safe. */
  <V> Map<String, V> byUid() {
    return all.byUid();
  }

  RunnerMemory of(String uid) {
    return memoryByUid.getOrDefault(uid, RunnerMemory.NONE);
  }

  /** The memory of a runner; {@code first} gives that of a runner without one. */
  RunnerMemory begin(String uid, Supplier<RunnerMemory> first) {
    return memoryByUid.computeIfAbsent(uid, key -> first.get());
  }

  RunnerMemory update(String uid, UnaryOperator<RunnerMemory> change) {
    var changed = change.apply(of(uid));
    memoryByUid.put(uid, changed);
    return changed;
  }

  RunnerMemory updateStart(String uid, UnaryOperator<StartState> change) {
    return update(uid, memory -> memory.with(change.apply(memory.start())));
  }

  RunnerMemory updateRemoval(String uid, UnaryOperator<RemovalState> change) {
    return update(uid, memory -> memory.with(change.apply(memory.removal())));
  }
}

package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.controller.ephemeralrunner.lifecycle.RemovalState;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerMemory;
import dev.runnerset.controller.ephemeralrunner.lifecycle.StartState;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * What this process knows of runners beside the caches, by uid. Thread-safe; one runner is
 * reconciled by one thread at a time.
 */
record RunnerMemories(Memories all) {
  private static final Slot<RunnerMemory> MEMORY = new Slot<>(RunnerMemory.NONE);

  RunnerMemory of(String uid) {
    return all.of(uid).get(MEMORY);
  }

  /** The memory of a runner; {@code first} gives that of a runner without one. */
  RunnerMemory begin(String uid, Supplier<RunnerMemory> first) {
    return all.of(uid).begin(MEMORY, first);
  }

  RunnerMemory update(String uid, UnaryOperator<RunnerMemory> change) {
    return all.of(uid).change(MEMORY, change);
  }

  RunnerMemory updateStart(String uid, UnaryOperator<StartState> change) {
    return update(uid, memory -> memory.with(change.apply(memory.start())));
  }

  RunnerMemory updateRemoval(String uid, UnaryOperator<RemovalState> change) {
    return update(uid, memory -> memory.with(change.apply(memory.removal())));
  }
}

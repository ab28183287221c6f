package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.controller.ephemeralrunner.lifecycle.RemovalState;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerMemory;
import dev.runnerset.controller.ephemeralrunner.lifecycle.StartState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * What this process knows of runners beside the caches, by uid. Holds as many entries as there are
 * resources, and those whose resource went in the last half minute. Thread-safe; one runner is
 * reconciled by one thread at a time.
 */
final class RunnerMemories {
  private static final Duration BETWEEN_SWEEPS = Duration.ofSeconds(30);

  private final Map<String, RunnerMemory> memoryByUid = new ConcurrentHashMap<>();
  private final AtomicReference<Instant> nextSweep = new AtomicReference<>(Instant.MIN);

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

  /**
   * Forgets runners whose resource is gone, at most once in half a minute.
   *
   * @param present gives the uids in the cache; called only when it is time
   * @return the forgotten uids
   */
  List<String> sweep(Instant now, Supplier<Set<String>> present) {
    var due = nextSweep.get();
    if (now.isBefore(due) || !nextSweep.compareAndSet(due, now.plus(BETWEEN_SWEEPS))) {
      return List.of();
    }
    // INVARIANT: what is known is listed before what is present, so no runner is forgotten that
    // came in between: each known runner was in the cache.
    var known = List.copyOf(memoryByUid.keySet());
    var there = present.get();
    var gone = known.stream().filter(uid -> !there.contains(uid)).toList();
    gone.forEach(memoryByUid::remove);
    return gone;
  }
}

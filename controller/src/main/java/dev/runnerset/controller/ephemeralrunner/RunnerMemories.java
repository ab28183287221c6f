package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerMemory;
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
 * What this process knows of runners, by uid. Holds as many as there are resources, and those that
 * went in the last half minute. Thread-safe; one runner is reconciled by one thread at a time.
 */
final class RunnerMemories {
  private static final Duration BETWEEN_SWEEPS = Duration.ofSeconds(30);

  private final Map<String, RunnerMemory> attemptByUid = new ConcurrentHashMap<>();
  private final AtomicReference<Instant> nextSweep = new AtomicReference<>(Instant.MIN);

  RunnerMemory of(String uid) {
    return attemptByUid.getOrDefault(uid, RunnerMemory.NONE);
  }

  /** The same, and from now on it is known; {@code first} says what of one that is not yet. */
  RunnerMemory begin(String uid, Supplier<RunnerMemory> first) {
    return attemptByUid.computeIfAbsent(uid, key -> first.get());
  }

  RunnerMemory update(String uid, UnaryOperator<RunnerMemory> change) {
    var changed = change.apply(of(uid));
    attemptByUid.put(uid, changed);
    return changed;
  }

  /**
   * Forgets runners whose resource is gone, at most once in half a minute.
   *
   * @param present uids in the cache; asked for only when it is time
   * @return the forgotten
   */
  List<String> sweep(Instant now, Supplier<Set<String>> present) {
    var due = nextSweep.get();
    if (now.isBefore(due) || !nextSweep.compareAndSet(due, now.plus(BETWEEN_SWEEPS))) {
      return List.of();
    }
    // INVARIANT: listed before asking for the present ones, so that none is forgotten that was
    // added meanwhile: who is known here was in the cache.
    var known = List.copyOf(attemptByUid.keySet());
    var there = present.get();
    var gone = known.stream().filter(uid -> !there.contains(uid)).toList();
    gone.forEach(attemptByUid::remove);
    return gone;
  }
}

package dev.runnerset.controller.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * What a process remembers of the objects of one kind, by uid. Whoever remembers something takes a
 * map from here; what no cache has any more is forgotten in all of them at once, however it went.
 * Thread-safe.
 */
public final class Memories {
  private static final Duration BETWEEN_SWEEPS = Duration.ofSeconds(30);

  private final List<Map<String, ?>> maps = new CopyOnWriteArrayList<>();
  private final AtomicReference<Instant> nextSweep = new AtomicReference<>(Instant.MIN);

  /** A new map by the uid of the object; thread-safe. */
  public <V> Map<String, V> byUid() {
    var map = new ConcurrentHashMap<String, V>();
    maps.add(map);
    return map;
  }

  /**
   * Forgets the objects that are gone, at most once in half a minute.
   *
   * @param present gives the uids in the cache; called only when it is time
   * @return whether it was time
   */
  public boolean keepOnly(Instant now, Supplier<Set<String>> present) {
    var due = nextSweep.get();
    if (now.isBefore(due) || !nextSweep.compareAndSet(due, now.plus(BETWEEN_SWEEPS))) {
      return false;
    }
    // INVARIANT: what is known is listed before what is present, so no object is forgotten that
    // came in between: each known object was in the cache.
    var gone = new HashSet<String>();
    maps.forEach(map -> gone.addAll(map.keySet()));
    gone.removeAll(present.get());
    maps.forEach(map -> map.keySet().removeAll(gone));
    return true;
  }
}

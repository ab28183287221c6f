package dev.runnerset.controller.ephemeralrunnerset;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * What is remembered of each set, by its uid. Nothing tells of the end of a set, so those that are
 * gone are forgotten when a new one comes. Thread-safe.
 */
final class SetMemories {
  private final Map<String, SetMemory> memoryByUid = new ConcurrentHashMap<>();

  /**
   * The memory of one set.
   *
   * @param present the uids of the sets that there are; asked for a new one only
   */
  SetMemory of(String uid, Supplier<Set<String>> present) {
    var known = memoryByUid.get(uid);
    return known != null ? known : begin(uid, present);
  }

  private SetMemory begin(String uid, Supplier<Set<String>> present) {
    var gone = new HashSet<>(memoryByUid.keySet()); // before the look: none that comes is in it
    gone.removeAll(present.get());
    memoryByUid.keySet().removeAll(gone);
    return memoryByUid.computeIfAbsent(uid, key -> new SetMemory());
  }
}

package dev.runnerset.controller.memory;

import dev.runnerset.controller.memory.Slots.Slot;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a process remembers of the objects of one kind, by uid. A class that remembers something has
 * a {@link Slot} for it; all of it goes with the object. Thread-safe.
 */
public final class Memories {
  /** More passes are never under way over objects that are gone. */
  private static final int MOST_UNDER_WAY = 64;

  private final Map<String, Map<Slot<?>, Object>> valuesByUid = new ConcurrentHashMap<>();
  private final Deque<String> lastGone = new ArrayDeque<>(); // guarded by this

  /** What is remembered of that object. */
  public Slots of(HasMetadata object) {
    return of(object.getMetadata().getUid());
  }

  /** What is remembered of the object of that uid. */
  public Slots of(String uid) {
    return new Slots(valuesByUid, uid);
  }

  /** What the objects have in that slot, by uid; without the objects that have nothing there. */
  public <T> Map<String, T> all(Slot<T> slot) {
    var all = new HashMap<String, T>();
    for (var uid : valuesByUid.keySet()) {
      var value = of(uid).find(slot);
      if (value != null) {
        all.put(uid, value);
      }
    }
    return all;
  }

  /** Nothing of the object is remembered any more, though it is there: it is another process's. */
  public void release(String uid) {
    valuesByUid.remove(uid);
  }

  /**
   * The cache has the object no more. What a pass that is still under way remembers of it goes with
   * one of the next objects.
   */
  public synchronized void isGone(String uid) {
    lastGone.addLast(uid);
    lastGone.forEach(valuesByUid::remove);
    if (lastGone.size() > MOST_UNDER_WAY) {
      lastGone.removeFirst();
    }
  }
}

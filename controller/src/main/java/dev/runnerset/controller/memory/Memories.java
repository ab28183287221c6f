package dev.runnerset.controller.memory;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What a process remembers of the objects of one kind, by uid. Whoever remembers something takes a
 * map from here; all of it goes with the object. Thread-safe.
 */
public final class Memories {
  /** More passes are never under way over objects that are gone. */
  private static final int MOST_UNDER_WAY = 64;

  private final List<Map<String, ?>> maps = new CopyOnWriteArrayList<>();
  private final Deque<String> lastGone = new ArrayDeque<>(); // guarded by this

  /** A new map by the uid of the object; thread-safe. */
  public <V> Map<String, V> byUid() {
    var map = new ConcurrentHashMap<String, V>();
    maps.add(map);
    return map;
  }

  /** Nothing of the object is remembered any more, though it is there: it is another process's. */
  public void release(String uid) {
    maps.forEach(map -> map.remove(uid));
  }

  /**
   * The cache has the object no more. What a pass that is still under way remembers of it goes with
   * one of the next objects.
   */
  public synchronized void isGone(String uid) {
    lastGone.addLast(uid);
    maps.forEach(map -> map.keySet().removeAll(lastGone));
    if (lastGone.size() > MOST_UNDER_WAY) {
      lastGone.removeFirst();
    }
  }
}

package dev.runnerset.cli.ui;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Things of one kind by key, each with the version at which it changed, and the keys of what is
 * gone.
 */
final class Shelf<T> {
  /** How many deletions are remembered; a reader that missed one of those before starts anew. */
  static final int GONE_AT_MOST = 2_000;

  private final Map<String, Kept<T>> there = new HashMap<>();
  private final Map<String, Long> gone = new LinkedHashMap<>(); // the oldest first
  private long oldestKnown;

  /** A thing, and the version at which it became what it is. */
  record Kept<T>(long version, T value) {}

  /** Puts it there; false if it was there as it is. */
  boolean put(String key, T value, long version) {
    var before = there.get(key);
    if (before != null && before.value().equals(value)) {
      return false;
    }
    there.put(key, new Kept<>(version, value));
    gone.remove(key);
    return true;
  }

  /** Takes it away; false if it was not there. */
  boolean remove(String key, long version) {
    if (there.remove(key) == null) {
      return false;
    }
    gone.put(key, version);
    if (gone.size() > GONE_AT_MOST) {
      var oldest = gone.entrySet().iterator();
      oldestKnown = oldest.next().getValue();
      oldest.remove();
    }
    return true;
  }

  /** The version before which deletions are forgotten. */
  long oldestKnown() {
    return oldestKnown;
  }

  Optional<T> find(String key) {
    return Optional.ofNullable(there.get(key)).map(Kept::value);
  }

  /** What changed after that version, by key. */
  Stream<Map.Entry<String, Kept<T>>> changed(long after) {
    return there.entrySet().stream().filter(e -> e.getValue().version() > after);
  }

  /** The keys of what went after that version. */
  List<String> gone(long after) {
    return gone.entrySet().stream()
        .filter(e -> e.getValue() > after)
        .map(Map.Entry::getKey)
        .toList();
  }
}

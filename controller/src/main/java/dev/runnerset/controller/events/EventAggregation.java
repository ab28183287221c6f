package dev.runnerset.controller.events;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.function.Supplier;

/**
 * Decides how an event is written. Those of the same object, reason and subject, with less than
 * fifteen minutes between two of them, are one event, whose count is written at most every 30 s.
 * Remembers at most {@link #LIMIT} events. Thread-safe.
 */
final class EventAggregation {
  static final int LIMIT = 4000;
  static final Duration ONE_EVENT = Duration.ofMinutes(15);
  static final Duration BETWEEN_WRITES = Duration.ofSeconds(30);

  private final SequencedMap<Key, Entry> entryByKey = new LinkedHashMap<>(); // guarded by this
  private final Supplier<String> ids;

  /** The supplier gives the last part of an event's name, a different one each time. */
  EventAggregation(Supplier<String> ids) {
    this.ids = ids;
  }

  /**
   * What makes two events the same.
   *
   * @param subject what the event is about beside its object; empty for the object alone
   */
  record Key(String uid, String reason, String subject) {}

  /** What to write. */
  sealed interface Write {
    /** A new event, its name ending in {@code id}. */
    record Post(String id) implements Write {}

    /** The count of the event whose name ends in {@code id}. */
    record Count(String id, int count) implements Write {}

    /** Nothing is written now; the event is counted. */
    record Nothing() implements Write {}
  }

  private record Entry(String id, int count, Instant lastSeen, Instant lastWrite) {}

  synchronized Write seen(Key key, Instant now) {
    var before = entryByKey.remove(key); // put back at the end: the oldest is dropped first
    if (before == null || !now.isBefore(before.lastSeen.plus(ONE_EVENT))) {
      var entry = new Entry(ids.get(), 1, now, now);
      put(key, entry);
      return new Write.Post(entry.id);
    }
    var due = !now.isBefore(before.lastWrite.plus(BETWEEN_WRITES));
    put(key, new Entry(before.id, before.count + 1, now, due ? now : before.lastWrite));
    return due ? new Write.Count(before.id, before.count + 1) : new Write.Nothing();
  }

  /** The event could not be written: the next one creates another. */
  synchronized void lost(Key key) {
    entryByKey.remove(key);
  }

  private void put(Key key, Entry entry) {
    entryByKey.put(key, entry);
    if (entryByKey.size() > LIMIT) {
      entryByKey.pollFirstEntry();
    }
  }
}

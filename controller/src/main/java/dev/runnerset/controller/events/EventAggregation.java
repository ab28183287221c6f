package dev.runnerset.controller.events;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Optional;
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

  /**
   * What to write.
   *
   * @param id the name of the event ends in it
   * @param count how often the event was seen; 1 for a new one
   */
  record Write(String id, int count) {}

  private record Entry(String id, int count, Instant lastSeen, Instant lastWrite) {}

  /** What to write of an event that was seen; empty if it is counted and written later. */
  synchronized Optional<Write> seen(Key key, Instant now) {
    var before = entryByKey.remove(key); // put back at the end: the oldest is dropped first
    var entry =
        before == null || !now.isBefore(before.lastSeen.plus(ONE_EVENT))
            ? new Entry(ids.get(), 1, now, now)
            : new Entry(before.id, before.count + 1, now, before.lastWrite);
    boolean isDue = entry.count == 1 || !now.isBefore(entry.lastWrite.plus(BETWEEN_WRITES));
    put(key, isDue ? new Entry(entry.id, entry.count, now, now) : entry);
    return isDue ? Optional.of(new Write(entry.id, entry.count)) : Optional.empty();
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

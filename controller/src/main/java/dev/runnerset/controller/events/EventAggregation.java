package dev.runnerset.controller.events;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides how an event is written. Those of the same object, reason and subject, with less than
 * fifteen minutes between two of them, are one event, whose count is written at most every 30 s:
 * what comes sooner is held until {@link #due} gives it. Remembers at most {@link #LIMIT} events.
 * Thread-safe.
 *
 * @param <R> what was reported; of each event the last one is held
 */
final class EventAggregation<R> {
  static final int LIMIT = 4000;
  private final SequencedMap<Key, Entry<R>> entryByKey = new LinkedHashMap<>(); // guarded by this
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

  /** What is to be written now: a report that came, or one that was held. */
  record Due<R>(Key key, R report, Write write) {}

  /** An event; {@code held} is its last report, and null where its count is written. */
  private record Entry<R>(
      String id, int count, Instant lastSeen, Instant lastWrite, @Nullable R held) {
    Entry<R> written(Instant now) {
      return new Entry<>(id, count, lastSeen, now, null);
    }
  }

  /** What to write of a report that came; empty if it is counted, and held until it is due. */
  synchronized Optional<Due<R>> seen(Key key, R report, Instant now) {
    var before = entryByKey.remove(key); // put back at the end: the oldest is dropped first
    var entry =
        before == null || !now.isBefore(before.lastSeen.plus(EventTimes.ONE_EVENT))
            ? new Entry<R>(ids.get(), 1, now, now, null)
            : new Entry<>(before.id, before.count + 1, now, before.lastWrite, report);
    boolean isDue =
        entry.count == 1 || !now.isBefore(entry.lastWrite.plus(EventTimes.BETWEEN_WRITES));
    put(key, isDue ? entry.written(now) : entry);
    return isDue
        ? Optional.of(new Due<>(key, report, new Write(entry.id, entry.count)))
        : Optional.empty();
  }

  /** What is held and may be written by now; it counts as written. */
  synchronized List<Due<R>> due(Instant now) {
    return written(now, EventTimes.BETWEEN_WRITES);
  }

  /** All that is held, for the end of the process. */
  synchronized List<Due<R>> all(Instant now) {
    return written(now, Duration.ZERO);
  }

  private List<Due<R>> written(Instant now, Duration after) {
    var due = new ArrayList<Due<R>>();
    for (var each : entryByKey.entrySet()) {
      var entry = each.getValue();
      if (entry.held != null && !now.isBefore(entry.lastWrite.plus(after))) {
        due.add(new Due<>(each.getKey(), entry.held, new Write(entry.id, entry.count)));
        each.setValue(entry.written(now));
      }
    }
    return due;
  }

  /** The event could not be written: the next one creates another. */
  synchronized void lost(Key key) {
    entryByKey.remove(key);
  }

  private void put(Key key, Entry<R> entry) {
    entryByKey.put(key, entry);
    if (entryByKey.size() > LIMIT) {
      entryByKey.pollFirstEntry();
    }
  }
}

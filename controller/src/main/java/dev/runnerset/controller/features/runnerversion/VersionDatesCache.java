package dev.runnerset.controller.features.runnerversion;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.RunnerVersion;
import dev.runnerset.actions.VersionDates;
import dev.runnerset.connection.ConnectionKey;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The dates of runner versions, which are asked for once a day for a version and a credential
 * (RN21). Thread-safe.
 */
final class VersionDatesCache {
  /** With more of them all are forgotten, and asked for again. */
  private static final int KEPT = 1_000;

  private static final VersionDates NONE = new VersionDates(null, null);

  private final Clock clock;
  private final Map<Key, Entry> entries = new ConcurrentHashMap<>();

  VersionDatesCache(Clock clock) {
    this.clock = clock;
  }

  private record Key(ConnectionKey connection, RunnerVersion version) {}

  /** What is known for one key; a thread that asks GitHub for it holds its lock. */
  private static final class Entry {
    private VersionDates dates = NONE;
    private Instant at = Instant.MIN;

    /** A time to come is that of a clock that was put back. */
    boolean isFresh(Instant now) {
      return !at.isAfter(now) && now.isBefore(at.plus(VersionState.READ_EVERY));
    }
  }

  /** What an earlier process learned. */
  void learned(ConnectionKey connection, RunnerVersion version, VersionDates dates, Instant at) {
    var entry = entry(connection, version);
    synchronized (entry) {
      if (entry.at.isBefore(at)) {
        entry.dates = dates;
        entry.at = at;
      }
    }
  }

  /**
   * The dates; none for a version that was never released. Blocks for a call of its own, or of
   * another set that asks for the same.
   *
   * @throws dev.runnerset.actions.ServiceException if GitHub does not say them
   */
  VersionDates of(ConnectionKey connection, RunnerVersion version, ActionsService service) {
    var entry = entry(connection, version);
    synchronized (entry) {
      var now = clock.instant();
      if (!entry.isFresh(now)) {
        entry.dates = service.versionDates(version).orElse(NONE);
        entry.at = now;
      }
      return entry.dates;
    }
  }

  private Entry entry(ConnectionKey connection, RunnerVersion version) {
    if (entries.size() > KEPT) {
      entries.clear();
    }
    return entries.computeIfAbsent(new Key(connection, version), key -> new Entry());
  }
}

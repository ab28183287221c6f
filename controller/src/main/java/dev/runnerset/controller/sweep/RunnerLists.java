package dev.runnerset.controller.sweep;

import dev.runnerset.actions.RunnerList;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.connection.ConnectionKey;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.connection.ServiceConnections;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * GitHub's lists of runners, each read once for all sets of one connection (RN20). What is refused
 * is not asked for again for hours, unless the credentials change. Thread-safe.
 */
final class RunnerLists {
  /** The list costs one request for each 100 runners. */
  static final int MOST_PAGES = 50;

  private static final Duration SHARED_FOR = Duration.ofMinutes(1);
  private static final Duration REFUSED_FOR = Duration.ofHours(6);
  private static final Duration FAILED_FOR = Duration.ofMinutes(10);

  private final ServiceConnections connections;
  private final Clock clock;
  private final Map<ConnectionKey, Slot> slotByKey = new ConcurrentHashMap<>();

  RunnerLists(ServiceConnections connections, Clock clock) {
    this.connections = connections;
    this.clock = clock;
  }

  /** What came of a reading. */
  sealed interface Reading {
    /** The list, at most a minute old. */
    record Listed(RunnerList list) implements Reading {}

    /**
     * There is none before that time.
     *
     * @param refusal what the user has to know; null if time alone may help
     */
    record Not(Instant until, @Nullable ServiceError refusal) implements Reading {}
  }

  private record Entry(Reading reading, Instant until, long version) {
    boolean holds(Instant now) {
      return now.isBefore(until);
    }
  }

  /** What is known of one connection; locked while its list is read, which may take long. */
  private static final class Slot {
    private volatile @Nullable Entry known; // null while the list is read

    boolean isOver(Instant now) {
      var entry = known;
      return entry != null && !entry.holds(now);
    }
  }

  /** The list for a connection. Blocks, also while another thread reads it. */
  Reading of(ConnectionKey key) {
    long version = connections.version(key);
    slotByKey.values().removeIf(slot -> slot.isOver(clock.instant()));
    var slot = slotByKey.computeIfAbsent(key, same -> new Slot());
    synchronized (slot) {
      var known = slot.known;
      if (known != null && known.version() == version && known.holds(clock.instant())) {
        return known.reading();
      }
      slot.known = null;
      var entry = read(key, version);
      slot.known = entry;
      return entry.reading();
    }
  }

  private Entry read(ConnectionKey key, long version) {
    try {
      var list = connections.toCleanUp(key).runners(MOST_PAGES);
      return new Entry(new Reading.Listed(list), clock.instant().plus(SHARED_FOR), version);
    } catch (ServiceException e) {
      var refusal = isRefusal(e.error()) ? e.error() : null;
      var asked = Objects.requireNonNullElse(e.retryAfter(), FAILED_FOR);
      var wait =
          refusal != null ? REFUSED_FOR : asked.compareTo(FAILED_FOR) < 0 ? FAILED_FOR : asked;
      return not(clock.instant().plus(wait), refusal, version);
    } catch (InvalidConnectionException | KubernetesClientException e) {
      return not(clock.instant().plus(FAILED_FOR), null, version);
    }
  }

  private static Entry not(Instant until, @Nullable ServiceError refusal, long version) {
    return new Entry(new Reading.Not(until, refusal), until, version);
  }

  private static boolean isRefusal(ServiceError error) {
    return error instanceof ServiceError.Forbidden
        || error instanceof ServiceError.NotFound
        || error instanceof ServiceError.Unauthorized;
  }
}

package dev.runnerset.controller.features.leftovers;

import dev.runnerset.actions.RunnerList;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.base.Detail;
import dev.runnerset.connection.ConnectionKey;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.autoscalingrunnerset.status.ServiceFindings;
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

  /** How long sets share one list of runners. */
  @Detail private static final Duration SHARED_FOR = Duration.ofMinutes(1);

  /** The shortest wait after a list that failed. */
  @Detail private static final Duration FAILED_FOR = Duration.ofMinutes(10);

  private final ServiceConnections connections;
  private final Clock clock;
  private final Map<ConnectionKey, Slot> slotByKey = new ConcurrentHashMap<>();

  RunnerLists(ServiceConnections connections, Clock clock) {
    this.connections = connections;
    this.clock = clock;
  }

  /**
   * What came of a reading.
   *
   * @param list at most a minute old; null if there is none
   * @param until when the list may be read again
   * @param refusal what the user has to know; null if time alone may help
   */
  record Reading(@Nullable RunnerList list, Instant until, @Nullable ServiceError refusal) {}

  /** The list of one connection; locked while it is read, which may take long. */
  private final class Slot {
    private final ConnectionKey key;
    private final long version;
    private volatile @Nullable Reading known; // null until it is read

    Slot(ConnectionKey key, long version) {
      this.key = key;
      this.version = version;
    }

    boolean isOver(Instant now) {
      var reading = known;
      return reading != null && !now.isBefore(reading.until());
    }

    synchronized Reading reading() {
      var reading = known == null ? read(key) : known;
      known = reading;
      return reading;
    }
  }

  /** The list for a connection. Blocks, also while another thread reads it. */
  Reading of(ConnectionKey key) {
    long version = connections.version(key);
    var now = clock.instant();
    slotByKey.values().removeIf(slot -> slot.isOver(now));
    var slot =
        slotByKey.merge(
            key, new Slot(key, version), (old, fresh) -> old.version == version ? old : fresh);
    return slot.reading();
  }

  private Reading read(ConnectionKey key) {
    try {
      var list = connections.toCleanUp(key).runners(MOST_PAGES);
      return new Reading(list, clock.instant().plus(SHARED_FOR), null);
    } catch (ServiceException e) {
      var refusal = ServiceFindings.isLockedOut(e.error()) ? e.error() : null;
      var asked = Objects.requireNonNullElse(e.retryAfter(), FAILED_FOR);
      var wait =
          refusal != null
              ? LeftOverTimes.REFUSED_FOR
              : asked.compareTo(FAILED_FOR) < 0 ? FAILED_FOR : asked;
      return new Reading(null, clock.instant().plus(wait), refusal);
    } catch (InvalidConnectionException | KubernetesClientException e) {
      return new Reading(null, clock.instant().plus(FAILED_FOR), null);
    }
  }
}

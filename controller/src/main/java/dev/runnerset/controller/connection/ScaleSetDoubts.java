package dev.runnerset.controller.connection;

import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.base.RequeueTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which ids of scale sets may mean another scale set than they did, through one connection (NM6): a
 * server that was restored, or another one behind the same URL, gives ids again. A doubt ends when
 * the scale set is known again by a call that began later. Times that have not come are of a clock
 * that was put back: what they doubt is doubted since now, and they prove nothing. Not thread-safe.
 */
final class ScaleSetDoubts {
  private final Map<ScaleSetId, Instant> doubtedById = new HashMap<>();
  private final Map<ScaleSetId, Instant> provedById = new HashMap<>();
  private Instant outage = Instant.MIN;
  private @Nullable Instant silentSince;
  private Instant silentLast = Instant.MIN;

  /** The id may be another scale set's since then. */
  void doubted(ScaleSetId id, Instant since) {
    doubtedById.merge(id, since, ScaleSetDoubts::later);
  }

  /** The scale set was known again by a call that began then. */
  void proved(ScaleSetId id, Instant askedAt) {
    provedById.merge(id, askedAt, ScaleSetDoubts::later);
  }

  /**
   * A call of any kind has ended.
   *
   * @param error null if the service answered as it should
   */
  void called(@Nullable ServiceError error, Instant now) {
    clockIs(now);
    switch (error) {
      case ServiceError.NotSent _, ServiceError.Cancelled _ -> {}
      case ServiceError.Unavailable _ -> {
        silentSince = silentSince == null ? now : silentSince;
        silentLast = now;
      }
      case null, default -> {
        outage = isOutage(now) ? silentLast : outage;
        silentSince = null;
      }
    }
  }

  /** Whether the id may be another scale set's by now. */
  boolean isDoubted(ScaleSetId id, Instant now) {
    clockIs(now);
    var since = later(doubtedById.getOrDefault(id, Instant.MIN), outage);
    var last = isOutage(now) ? later(since, silentLast) : since;
    return last.isAfter(provedById.getOrDefault(id, Instant.MIN));
  }

  private void clockIs(Instant now) {
    doubtedById.replaceAll((_, since) -> RequeueTime.earlier(since, now));
    provedById.values().removeIf(now::isBefore);
    outage = RequeueTime.earlier(outage, now);
    silentLast = RequeueTime.earlier(silentLast, now);
    silentSince = silentSince == null ? null : RequeueTime.earlier(silentSince, now);
  }

  private boolean isOutage(Instant now) {
    return silentSince != null && !now.isBefore(silentSince.plus(ConnectionTimes.OUTAGE));
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}

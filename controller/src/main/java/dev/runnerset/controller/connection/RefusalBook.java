package dev.runnerset.controller.connection;

import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.controller.timing.Pause;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the service refuses to the runners of each scale set of one connection: of two sets with one
 * secret only one may be refused. Removals name no scale set and count for all. Not thread-safe.
 */
final class RefusalBook {
  private static final ScaleSetId OF_REMOVALS = new ScaleSetId(0);

  private final Map<ScaleSetId, RunnerRefusals> refusalsById = new HashMap<>();
  private final Map<ScaleSetId, Instant> triedById = new HashMap<>();

  /** What stands for the scale set; null if nothing does. */
  @Nullable ServiceError standing(ScaleSetId id, Instant now) {
    var own = ofRegistrations(id, now);
    return own == null ? of(OF_REMOVALS).standing(now) : own;
  }

  /** The refusal of registrations with this scale set alone; null if there is none. */
  @Nullable ServiceError ofRegistrations(ScaleSetId id, Instant now) {
    return of(id).standing(now);
  }

  void refused(ScaleSetId id, ServiceError error, Instant now) {
    refusalsById.put(id, of(id).refused(error, now));
  }

  /** A registration that is let through proves that the credentials are good for removals too. */
  void allowed(ScaleSetId id) {
    refusalsById.remove(id);
    refusalsById.remove(OF_REMOVALS);
  }

  /**
   * Why a registration is not sent now, and when it may be; null if it is. Rate limits are not kept
   * here: their registrations go at the pace of the credential.
   */
  @Nullable JitWait heldBack(ScaleSetId id, Instant now) {
    var standing = ofRegistrations(id, now);
    var next = triedById.getOrDefault(id, Instant.EPOCH).plus(ConnectionTimes.REFUSED_TRIED_EVERY);
    return standing == null
            || standing instanceof ServiceError.RateLimited
            || !Pause.isOn(next, ConnectionTimes.REFUSED_TRIED_EVERY, now)
        ? null
        : new JitWait(next, standing);
  }

  void tried(ScaleSetId id, Instant now) {
    triedById.put(id, now);
  }

  private RunnerRefusals of(ScaleSetId id) {
    return refusalsById.getOrDefault(id, RunnerRefusals.NONE);
  }
}

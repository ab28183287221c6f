package dev.runnerset.controller.features.capacity;

import dev.runnerset.base.RequeueTime;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How many runners quotas leave place for, as it changes with time. What is used may be behind our
 * cache of pods and ahead of it: while the number before may be the true one, it is kept; and a
 * rise is believed once it has lasted, since the cache may not have the end of a pod yet that the
 * API server no longer counts (DM13). Immutable.
 *
 * @param places the number
 * @param risingSince since when more is found without a break; null while that is not so
 */
public record RoomTotal(int places, @Nullable Instant risingSince) {
  /** How long a rise has to last. */
  static final Duration BEFORE_RISE = Duration.ofSeconds(1);

  /** A total that is not rising: the first one, or one from the status. */
  public static RoomTotal of(int places) {
    return new RoomTotal(places, null);
  }

  /**
   * The number after one between these bounds is the true one.
   *
   * @param low the least that is possible
   * @param high the most that is possible
   */
  RoomTotal next(int low, int high, Instant now) {
    int found = Math.clamp(places, low, high);
    if (found <= places) {
      return of(found);
    }
    var since = risingSince == null || now.isBefore(risingSince) ? now : risingSince;
    return now.isBefore(since.plus(BEFORE_RISE)) ? new RoomTotal(places, since) : of(found);
  }

  /** When it may be another one without an event. */
  public RequeueTime requeue() {
    return risingSince == null ? RequeueTime.NEVER : RequeueTime.at(risingSince.plus(BEFORE_RISE));
  }
}

package dev.runnerset.controller.scaling;

import dev.runnerset.base.RequeueTime;
import java.time.Duration;
import java.time.Instant;

/**
 * How the number of places follows its limits: a fall goes out at once, a rise at most once a
 * second, since each change cancels the open poll of the set (DM12). Immutable.
 *
 * @param places the number that is out
 * @param changedAt when it changed last
 * @param requeue when a rise that is held back is due
 */
public record CapacityPacing(int places, Instant changedAt, RequeueTime requeue) {
  /** The time between a change and a rise. */
  public static final Duration BEFORE_RISE = Duration.ofSeconds(1);

  /** The first number of a process, which may be followed by any other at once. */
  public static CapacityPacing first(int places) {
    return new CapacityPacing(places, Instant.EPOCH, RequeueTime.NEVER);
  }

  /** The number after the limits leave place for so many. */
  public CapacityPacing next(int wanted, Instant now) {
    if (wanted == places) {
      return new CapacityPacing(places, changedAt, RequeueTime.NEVER);
    }
    var riseAt = changedAt.plus(BEFORE_RISE);
    boolean setBack = now.isBefore(changedAt); // an administrator may set the clock
    return wanted < places || setBack || !now.isBefore(riseAt)
        ? new CapacityPacing(wanted, now, RequeueTime.NEVER)
        : new CapacityPacing(places, changedAt, RequeueTime.at(riseAt));
  }
}

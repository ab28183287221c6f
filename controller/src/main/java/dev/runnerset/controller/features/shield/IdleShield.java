package dev.runnerset.controller.features.shield;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.removal.Group;
import dev.runnerset.controller.timing.Times;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The runners whose pods need no shield (SH1): online and without a job for ten minutes, heard of
 * all the time. A drain or a consolidation of nodes can have them. A runner that the counts miss
 * for a moment begins again, so that its pod is not written at each change of the counts.
 *
 * @param listeningSince since when the listener is ready; null if it is not
 * @param open those runners
 */
@Pure
record IdleShield(@Nullable Instant listeningSince, Group open) {
  static IdleShield of(@Nullable Instant listeningSince) {
    return new IdleShield(
        listeningSince,
        Group.at((r, now) ->
            listeningSince != null
                && r.isIdle()
                && r.ready()
                && now.isPast(
                    Times.latest(
                        r.idleSince(),
                        listeningSince,
                        r.registeredAt(),
                        r.removal().busySuspectUntil()),
                    ShieldTimes.IDLE_FOR)));
  }
}

package dev.runnerset.controller.features.shield;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.removal.Now;
import dev.runnerset.controller.removal.RunnerView;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The runners whose pods need no shield (SH1): online and without a job for ten minutes, heard of
 * all the time. A drain or a consolidation of nodes can have them.
 *
 * @param open their uids
 * @param notIdleAt when others were last seen not to be idle and online, by uid
 */
@Pure
record IdleShield(Set<String> open, Map<String, Instant> notIdleAt) {
  /** How long a runner is idle before its pod loses the shield. */
  static final Duration IDLE_FOR = Duration.ofMinutes(10);

  IdleShield {
    open = Set.copyOf(open);
    notIdleAt = Map.copyOf(notIdleAt);
  }

  /**
   * Those of this moment.
   *
   * @param runners those of a set
   * @param notIdleAt as the last look left it: a runner that the counts miss for a moment begins
   *     again, so that its pod is not written at each change of the counts
   * @param listeningSince since when the listener is ready; null if it is not
   */
  static IdleShield of(
      List<RunnerView> runners,
      Map<String, Instant> notIdleAt,
      @Nullable Instant listeningSince,
      Now now) {
    var open = new HashSet<String>();
    var missed = new HashMap<String, Instant>();
    for (var runner : runners) {
      var idleSince = runner.idleSince();
      var missedAt = notIdleAt.get(runner.uid());
      if (missedAt != null) {
        missed.put(runner.uid(), missedAt);
      }
      if (idleSince == null || !runner.isIdle() || runner.isBusySuspect(now)) {
        missed.put(runner.uid(), now.instant());
      } else if (listeningSince != null) {
        var since = latest(latest(idleSince, listeningSince), missedAt);
        if (now.isPast(since, IDLE_FOR)) {
          open.add(runner.uid());
        }
      }
    }
    return new IdleShield(open, missed);
  }

  private static Instant latest(Instant one, @Nullable Instant other) {
    return other == null || one.isAfter(other) ? one : other;
  }
}

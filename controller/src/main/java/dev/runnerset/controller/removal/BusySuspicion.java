package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.RunnerRemoval;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How long a refusal of the service keeps us from asking again: 5 min, doubling to 30 (SD5), so
 * that a runner is asked for at most twice in any ten minutes.
 */
@Pure
public final class BusySuspicion {
  private static final Duration FIRST = Duration.ofMinutes(5);
  private static final Duration LONGEST = Duration.ofMinutes(30);

  private BusySuspicion() {}

  /** The status after one refusal more. */
  static RunnerRemoval afterRefusal(@Nullable RunnerRemoval before, Instant now) {
    int refusals = before == null || before.refusals() == null ? 0 : before.refusals();
    var wait = FIRST.multipliedBy(1L << Math.min(refusals, 3));
    var until = now.plus(wait.compareTo(LONGEST) > 0 ? LONGEST : wait);
    return new RunnerRemoval(until, refusals + 1);
  }

  /**
   * Whether the end of the runner's container clears it (SD5). Only a first refusal is cleared: two
   * requests may then follow each other closely, a third waits (I3).
   */
  public static boolean isClearedByEnd(@Nullable RunnerRemoval removal) {
    return removal == null || removal.refusals() == null || removal.refusals() <= 1;
  }

  /** Whether the service must not be asked yet. */
  static boolean isStanding(@Nullable RunnerRemoval removal, Instant now) {
    return removal != null
        && removal.busySuspectUntil() != null
        && now.isBefore(removal.busySuspectUntil());
  }
}

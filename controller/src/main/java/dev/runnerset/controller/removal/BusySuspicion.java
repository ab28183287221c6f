package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.RunnerRemoval;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How long a refusal of the service keeps us from asking again: 5 min, doubling to 30 (SD5), so
 * that a runner is asked for at most twice in any ten minutes.
 */
@Pure
public final class BusySuspicion {
  private BusySuspicion() {}

  /** The status after one refusal more. */
  static RunnerRemoval afterRefusal(@Nullable RunnerRemoval before, Instant now) {
    int refusals = before == null || before.refusals() == null ? 0 : before.refusals();
    var wait = RemovalTimes.FIRST_SUSPICION.multipliedBy(1L << Math.min(refusals, 3));
    var until =
        now.plus(
            wait.compareTo(RemovalTimes.LONGEST_SUSPICION) > 0
                ? RemovalTimes.LONGEST_SUSPICION
                : wait);
    return new RunnerRemoval(until, refusals + 1);
  }

  /**
   * Whether what is known of the runner's end clears it (SD5). The end of its container or pod
   * clears a first refusal only: two requests may then follow each other closely, a third waits
   * (I3). After the completion one more request is sent: the service has said that the job is over.
   *
   * @param ended whether its container has ended, or its pod is gone
   * @param completed whether a message reported the end of its job
   */
  public static boolean isCleared(
      @Nullable RunnerRemoval removal, boolean ended, boolean completed) {
    int refusals = removal == null || removal.refusals() == null ? 0 : removal.refusals();
    return refusals <= (completed ? 2 : ended ? 1 : 0);
  }

  /** Whether the service must not be asked yet. */
  public static boolean isStanding(@Nullable RunnerRemoval removal, Instant now) {
    return removal != null
        && removal.busySuspectUntil() != null
        && now.isBefore(removal.busySuspectUntil());
  }
}

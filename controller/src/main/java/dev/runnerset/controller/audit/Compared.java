package dev.runnerset.controller.audit;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.removal.Now;
import dev.runnerset.controller.removal.RunnerView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a sweep compares of one set with the service's counts.
 *
 * @param excess registrations that no resource explained at the moment of the counts
 * @param excessAtMost the same without those that went about then, which may explain some: only if
 *     this is zero the counts agree
 * @param deficit runners that were to be registered then, and have no registration
 * @param changedAt when a runner of the set came or went last, as this process saw it
 * @param jitter so much later than others the set is read, if that change is new
 * @param credentials the version of what the set's connection is made from
 */
@Pure
public record Compared(
    int excess,
    int excessAtMost,
    int deficit,
    Instant changedAt,
    Duration jitter,
    long credentials) {
  /** Of a set that has these runners, and had those of the state not long ago. */
  public static Compared of(
      @Nullable ServiceCounts counts,
      List<RunnerView> runners,
      AuditState state,
      Duration jitter,
      long credentials) {
    var seen = state.seen();
    if (counts == null) {
      return new Compared(0, 0, 0, seen.changedAt(), jitter, credentials);
    }
    var at = counts.observedAt();
    // read after the resource went, by the same clock: its registration went before it
    boolean isExact = counts.equals(state.read());
    int excess =
        counts.registered()
            - seen.expectedRegistrations(isExact ? at : at.minus(SeenRunners.AROUND));
    int atMost = isExact ? excess : counts.registered() - seen.presentRegistrations();
    long running = runners.stream().filter(runner -> isToBeRegistered(runner, at)).count();
    return new Compared(
        Math.max(0, excess),
        Math.max(0, atMost),
        Math.max(0, (int) running - counts.registered()),
        seen.changedAt(),
        jitter,
        credentials);
  }

  /** Whether the service has the registrations and runners that we have. */
  boolean agrees() {
    return excessAtMost == 0 && deficit == 0;
  }

  /**
   * Whether the counts neither agree nor disagree: runners that went about then may explain them.
   */
  boolean isOpen() {
    return excess == 0 && deficit == 0 && excessAtMost > 0;
  }

  /** A runner with a job is registered until that is over, and nobody doubts it. */
  private static boolean isToBeRegistered(RunnerView runner, Instant at) {
    return runner.ready()
        && !runner.isEnded()
        && !runner.isExiting()
        && !runner.terminating()
        && !runner.askedToGo()
        && !runner.ofAnotherScaleSet()
        && runner.hasRunFor(AuditTimes.ALL_ARE_ONLINE_AFTER, new Now(at));
  }
}

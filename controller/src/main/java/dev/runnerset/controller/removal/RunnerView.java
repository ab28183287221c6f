package dev.runnerset.controller.removal;

import dev.runnerset.crds.RunnerPhase;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One runner of a set, as far as its counting and its removal depend on it.
 *
 * @param podMade whether its status tells of its pod
 * @param ready whether its container is known to run
 * @param idleSince since when it waits for a job; the creation time while it is not ready
 * @param busy whether it is marked with a job; a mark is never taken back
 * @param completedIn the message that said its job is over
 * @param completionSeenAt when this process first saw that; null while its job is not over
 * @param busySuspectUntil until when a refusal of the service counts
 * @param terminating whether its resource is being deleted
 * @param askedToGo whether we have asked for its deletion, whatever the cache says
 * @param removalRetryAt a removal of it failed; the next comes no earlier
 * @param removalFailed whether a removal of it ended with an error, so that others go first
 * @param endedAt when its container ended or it failed, if that is known
 * @param kept whether a rule of retention keeps it once it has ended (RT5)
 * @param older whether it is of another revision, or for another scale set, than its set
 * @param ofAnotherScaleSet whether it is registered for another scale set than its set has now: no
 *     job of its set comes to it any more
 */
public record RunnerView(
    String name,
    String uid,
    RunnerPhase phase,
    boolean podMade,
    boolean ready,
    Instant idleSince,
    boolean busy,
    @Nullable Long completedIn,
    @Nullable Instant completionSeenAt,
    @Nullable Instant busySuspectUntil,
    boolean terminating,
    boolean askedToGo,
    @Nullable Instant removalRetryAt,
    boolean removalFailed,
    @Nullable Instant endedAt,
    boolean kept,
    boolean older,
    boolean ofAnotherScaleSet) {

  /** How long an end waits for the message that tells of it (LV3). */
  public static final Duration SETTLE_WINDOW = Duration.ofSeconds(30);

  /** Whether it has ended, by its status or by its container. */
  public boolean isEnded() {
    return phase.isTerminal() || endedAt != null;
  }

  /** Whether the service refused to remove it not long ago. */
  public boolean isBusySuspect(Instant now) {
    return busySuspectUntil != null && now.isBefore(busySuspectUntil) && !isEnded();
  }

  /** Whether it has a job that is not known to be over. */
  public boolean isRunningJob() {
    return busy && completedIn == null && !isEnded();
  }

  /** Whether its job is over while its container still runs, as it does for a few seconds. */
  public boolean isExiting() {
    return completedIn != null && !isEnded();
  }

  /** Whether it waits for a job. */
  public boolean isIdle() {
    return phase == RunnerPhase.RUNNING && !busy && !terminating && !isEnded();
  }

  /**
   * Whether it has no job, by all that is known, and may be removed for whatever reason: the one
   * predicate of scale-down, age collection and revision change (LV5). One that has not started yet
   * is removable too.
   */
  public boolean isRemovable(Instant now) {
    return !isEnded() && !terminating && !askedToGo && !busy && !isBusySuspect(now);
  }

  /** Whether a removal of it that failed may be tried again by now. */
  public boolean mayBeAsked(Instant now) {
    return removalRetryAt == null || !now.isBefore(removalRetryAt);
  }

  /**
   * Whether its job no longer counts as demand: the message that completed it has been weighed, or
   * the settle window is over (LV2). A runner of another scale set stands for no demand of this one
   * unless it runs a job.
   */
  public boolean isReleased(long demandMessageId, Instant now) {
    if (completedIn != null && completedIn <= demandMessageId) {
      return true;
    }
    if (ofAnotherScaleSet && !isRunningJob() && !isBusySuspect(now)) {
      return true;
    }
    return endedAt != null && !now.isBefore(endedAt.plus(SETTLE_WINDOW));
  }

  /**
   * Whether it counts as one of the runners there should be. A released one does not, even while
   * its container still exits, since its job no longer counts as demand either; a failed one does
   * not, unless its job still counts (LV4; docs/adr/0004).
   */
  public boolean isLive(long demandMessageId, Instant now) {
    if (isReleased(demandMessageId, now)) {
      return false;
    }
    if (phase == RunnerPhase.FAILED || phase == RunnerPhase.OUTDATED) {
      return busy;
    }
    if (terminating || askedToGo) {
      return busy || isBusySuspect(now);
    }
    return true;
  }
}

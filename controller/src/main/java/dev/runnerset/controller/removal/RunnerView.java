package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.timing.Times;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerPhase;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * One runner of a set, as its resource and the memory of this process show it at one moment.
 *
 * @param uid of its resource
 * @param created when its resource was made
 * @param podMade whether its status tells of its pod
 * @param idleSince when this process saw its container run; null before
 * @param endedAt when its container ended or the runner failed; null if that is not known
 * @param registered whether the service is known to have it online; known in sum only (RN7)
 * @param registeredAt when this process saw it come online; null if it is not online, or was at
 *     first sight
 * @param kept whether a rule of retention keeps it after its end (RT5)
 * @param pinned whether its annotation says that it must be retained
 * @param retired whether its annotation says that it must go as soon as it has no job
 * @param busy whether the runner is marked with a job; a mark is never taken back
 * @param completedIn the message that reported the end of the job; null before
 * @param completionSeenAt when this process first saw that end; null before
 * @param terminating whether its resource is being deleted
 * @param removal what this process remembers of its removal
 * @param older whether it is of another revision, or for another scale set, than its set
 * @param ofAnotherScaleSet whether it is registered for another scale set than its set has now:
 *     then no job of its set comes to it any more
 * @param node what is to become of its node (SD10)
 * @param resource as the cache has it, which must not be changed
 */
@Pure
public record RunnerView(
    String name,
    String uid,
    RunnerPhase phase,
    Instant created,
    boolean podMade,
    @Nullable Instant idleSince,
    @Nullable Instant endedAt,
    boolean registered,
    @Nullable Instant registeredAt,
    boolean kept,
    boolean pinned,
    boolean retired,
    boolean busy,
    @Nullable Long completedIn,
    @Nullable Instant completionSeenAt,
    boolean terminating,
    Removal removal,
    boolean older,
    boolean ofAnotherScaleSet,
    NodeFate node,
    EphemeralRunner resource,
    OfSet set) {
  /**
   * What its set says of all of its runners.
   *
   * @param settledUpTo the last message whose completed jobs the demand no longer counts (LV2)
   * @param anyWanted whether any runner is wanted
   * @param sparedFor how long a runner that just became idle is spared, since a job is on its way
   *     (SD2); zero while none is
   */
  public record OfSet(long settledUpTo, boolean anyWanted, Duration sparedFor) {}

  /**
   * What this process remembers of a runner's removal.
   *
   * @param underWay whether a request is under way
   * @param askedToGo whether its deletion was asked for, whatever the cache says
   * @param resourceLeft whether its registration is removed, and its resource is yet to be deleted
   * @param busySuspectUntil until when a refusal of the service counts; null for none
   * @param retryAt when a removal that failed may be tried again; null for none
   * @param failures removals in a row that failed or are not done
   * @param failed whether a removal ended with an error, so that other runners go first
   */
  public record Removal(
      boolean underWay,
      boolean askedToGo,
      boolean resourceLeft,
      @Nullable Instant busySuspectUntil,
      @Nullable Instant retryAt,
      int failures,
      boolean failed) {
    /** Nobody asked for it. */
    public static final Removal NONE = new Removal(false, false, false, null, null, 0, false);

    /** Returns a copy with these two. */
    public Removal with(boolean nowUnderWay, boolean nowAskedToGo) {
      return new Removal(
          nowUnderWay, nowAskedToGo, resourceLeft, busySuspectUntil, retryAt, failures, failed);
    }

    /** Returns the state after a refusal that counts until then. */
    public Removal refused(@Nullable Instant until) {
      var suspect = until == null ? busySuspectUntil : until;
      return new Removal(false, false, resourceLeft, suspect, retryAt, failures, failed);
    }

    /** Returns the state after a removal that is not done: the next try waits 2 s, up to 60 s. */
    public Removal unfinished(boolean nowResourceLeft, boolean nowFailed, Instant now) {
      return new Removal(
          false,
          false,
          nowResourceLeft,
          busySuspectUntil,
          now.plus(RemovalTimes.DELETION_RETRY.after(failures + 1)),
          failures + 1,
          nowFailed);
    }
  }

  /** Whether its container is known to run. */
  public boolean ready() {
    return idleSince != null;
  }

  /** Returns a copy that is known to be registered or not, in that set. */
  public RunnerView with(boolean nowRegistered, @Nullable Instant at, OfSet nowSet) {
    return new RunnerView(
        name,
        uid,
        phase,
        created,
        podMade,
        idleSince,
        endedAt,
        nowRegistered,
        at,
        kept,
        pinned,
        retired,
        busy,
        completedIn,
        completionSeenAt,
        terminating,
        removal,
        older,
        ofAnotherScaleSet,
        node,
        resource,
        nowSet);
  }

  /** Whether it is to leave its node now (SD10). */
  public boolean mustLeaveNode(Now now) {
    return now.hasReached(node.leaveFrom());
  }

  /** Whether it must go whatever the target is, now or within seconds. */
  boolean isToGo() {
    return retired || node.leaveFrom() != null;
  }

  /** Since when it waits: for a job if its container runs, else for its start. */
  public Instant waitingSince() {
    return idleSince == null ? created : idleSince;
  }

  /**
   * Whether its container started before that. Starts are recorded in seconds: within one second
   * the order is not known.
   */
  public boolean startedBefore(Instant at) {
    return waitingSince()
        .truncatedTo(ChronoUnit.SECONDS)
        .isBefore(at.truncatedTo(ChronoUnit.SECONDS));
  }

  /** Whether its container has run for at least that long. */
  public boolean hasRunFor(Duration time, Now now) {
    return now.isPast(idleSince, time);
  }

  /** Whether it has just become idle, and a job is on its way (SD2). */
  boolean isSpared(Now now) {
    return ready() && set.sparedFor().isPositive() && !hasRunFor(set.sparedFor(), now);
  }

  /** See {@link Removal}. */
  public boolean askedToGo() {
    return removal.askedToGo();
  }

  /** Whether it has ended, by its status or by its container. */
  public boolean isEnded() {
    return phase().isTerminal() || endedAt() != null;
  }

  /** Whether the service refused to remove it not long ago. */
  public boolean isBusySuspect(Now now) {
    return !isEnded() && now.isBefore(removal.busySuspectUntil());
  }

  /** Whether it has a job that is not known to be over. */
  public boolean isRunningJob() {
    return busy() && completedIn() == null && !isEnded();
  }

  /** Whether its job is over while its container still runs, as it does for a few seconds. */
  public boolean isExiting() {
    return completedIn() != null && !isEnded();
  }

  /** Whether its container runs and no job is known, registered or not. */
  public boolean isWithoutJob() {
    return phase() == RunnerPhase.RUNNING && !busy() && !terminating() && !isEnded();
  }

  /** Whether it waits for a job: the service is known to have it (RN7). */
  public boolean isIdle() {
    return isWithoutJob() && registered();
  }

  /**
   * Whether it has no job, by all that is known, and may be removed for whatever reason: the one
   * predicate of scale-down, age collection and revision change (LV5). A runner that has not
   * started yet is removable too.
   */
  public boolean isRemovable(Now now) {
    return !isEnded() && !terminating() && !askedToGo() && !busy() && !isBusySuspect(now);
  }

  /** Whether no removal of it is under way, and one that failed may be tried again by now. */
  public boolean mayBeAsked(Now now) {
    return !removal.underWay() && !now.isBefore(removal.retryAt());
  }

  /** Whether its removal may be asked for now (SD1). */
  public boolean mayGo(Now now) {
    return isRemovable(now) && mayBeAsked(now);
  }

  /** Whether it runs without a job, and its removal may be asked for now. */
  public boolean isFree(Now now) {
    return isWithoutJob() && mayGo(now);
  }

  /**
   * Whether its job no longer counts as demand: the message that completed it has been weighed, or
   * the settle window is over (LV2). A runner of another scale set stands for no demand of this one
   * unless it runs a job.
   */
  public boolean isReleased(Now now) {
    if (completedIn != null && completedIn <= set.settledUpTo()) {
      return true;
    }
    if (ofAnotherScaleSet() && !isRunningJob() && !isBusySuspect(now)) {
      return true;
    }
    return now.isPast(endedAt, Times.SETTLE);
  }

  /**
   * Whether it counts as one of the runners there should be. A released one does not, even while
   * its container still exits, since its job no longer counts as demand either; a failed one does
   * not, unless its job still counts (LV4; docs/adr/0004).
   */
  public boolean isLive(Now now) {
    boolean failed = phase() == RunnerPhase.FAILED || phase() == RunnerPhase.OUTDATED;
    if ((failed && !busy()) || isReleased(now)) {
      return false;
    }
    if (!failed && (terminating() || askedToGo())) {
      return busy() || isBusySuspect(now);
    }
    return true;
  }
}

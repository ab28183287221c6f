package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.timing.Times;
import dev.runnerset.crds.RunnerPhase;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One runner of a set, as its resource and the memory of this process show it at one moment.
 *
 * @param uid of its resource
 * @param cordonedSince since when it is to leave its node, which takes no pods any more (SD10);
 *     null if it is not
 */
@Pure
public record RunnerView(
    String name,
    String uid,
    Life life,
    Job job,
    Removal removal,
    Origin origin,
    @Nullable Instant cordonedSince) {
  /** A runner whose node, if it has one, takes pods. */
  public RunnerView(String name, String uid, Life life, Job job, Removal removal, Origin origin) {
    this(name, uid, life, job, removal, origin, null);
  }

  /**
   * How far the runner is.
   *
   * @param created when its resource was made
   * @param podMade whether its status tells of its pod
   * @param idleSince when this process saw its container run; null before
   * @param endedAt when its container ended or the runner failed; null if that is not known
   * @param registered whether the service is known to have it online; told in sum only (RN7)
   * @param kept whether a rule of retention keeps it after its end (RT5)
   */
  public record Life(
      RunnerPhase phase,
      Instant created,
      boolean podMade,
      @Nullable Instant idleSince,
      @Nullable Instant endedAt,
      boolean registered,
      boolean kept) {
    Life withRegistered(boolean value) {
      return new Life(phase, created, podMade, idleSince, endedAt, value, kept);
    }
  }

  /**
   * Its job.
   *
   * @param busy whether the runner is marked with a job; a mark is never taken back
   * @param completedIn the message that told of the end of the job; null before
   * @param completionSeenAt when this process first saw that end; null before
   */
  public record Job(boolean busy, @Nullable Long completedIn, @Nullable Instant completionSeenAt) {}

  /**
   * What is known of its removal.
   *
   * @param terminating whether its resource is being deleted
   * @param askedToGo whether this process asked for its deletion, whatever the cache says
   * @param busySuspectUntil until when a refusal of the service counts; null for none
   * @param retryAt when a removal that failed may be tried again; null for none
   * @param failed whether a removal ended with an error, so that other runners go first
   * @param resourceLeft whether its registration is removed, and its resource is yet to be deleted
   */
  public record Removal(
      boolean terminating,
      boolean askedToGo,
      @Nullable Instant busySuspectUntil,
      @Nullable Instant retryAt,
      boolean failed,
      boolean resourceLeft) {
    /** A runner of which not only the resource is left. */
    public Removal(
        boolean terminating,
        boolean askedToGo,
        @Nullable Instant busySuspectUntil,
        @Nullable Instant retryAt,
        boolean failed) {
      this(terminating, askedToGo, busySuspectUntil, retryAt, failed, false);
    }
  }

  /**
   * What the runner was made for.
   *
   * @param older whether it is of another revision, or for another scale set, than its set
   * @param ofAnotherScaleSet whether it is registered for another scale set than its set has now:
   *     then no job of its set comes to it any more
   */
  public record Origin(boolean older, boolean ofAnotherScaleSet) {}

  /** See {@link Life}. */
  public RunnerPhase phase() {
    return life.phase();
  }

  /** See {@link Life}. */
  public Instant created() {
    return life.created();
  }

  /** See {@link Life}. */
  public boolean podMade() {
    return life.podMade();
  }

  /** Whether its container is known to run. */
  public boolean ready() {
    return life.idleSince() != null;
  }

  /** See {@link Life}. */
  public boolean registered() {
    return life.registered();
  }

  /** The same runner, known to be registered or not. */
  public RunnerView withRegistered(boolean value) {
    return value == registered()
        ? this
        : new RunnerView(
            name, uid, life.withRegistered(value), job, removal, origin, cordonedSince);
  }

  /** The same runner on such a node. */
  public RunnerView withCordonedSince(@Nullable Instant since) {
    return since == null && cordonedSince == null
        ? this
        : new RunnerView(name, uid, life, job, removal, origin, since);
  }

  /** Whether it is to leave its node. */
  public boolean onCordonedNode() {
    return cordonedSince != null;
  }

  /** See {@link Life}. */
  public @Nullable Instant idleSince() {
    return life.idleSince();
  }

  /** Since when it waits: for a job if its container runs, else for its start. */
  public Instant waitingSince() {
    return life.idleSince() == null ? life.created() : life.idleSince();
  }

  /** Whether its container has run for at least that long. */
  public boolean hasRunFor(Duration time, Instant now) {
    return life.idleSince() != null && !now.isBefore(life.idleSince().plus(time));
  }

  /** See {@link Life}. */
  public @Nullable Instant endedAt() {
    return life.endedAt();
  }

  /** See {@link Life}. */
  public boolean kept() {
    return life.kept();
  }

  /** See {@link Job}. */
  public boolean busy() {
    return job.busy();
  }

  /** See {@link Job}. */
  public @Nullable Long completedIn() {
    return job.completedIn();
  }

  /** See {@link Job}. */
  public @Nullable Instant completionSeenAt() {
    return job.completionSeenAt();
  }

  /** See {@link Removal}. */
  public boolean terminating() {
    return removal.terminating();
  }

  /** See {@link Removal}. */
  public boolean askedToGo() {
    return removal.askedToGo();
  }

  /** See {@link Removal}. */
  public @Nullable Instant busySuspectUntil() {
    return removal.busySuspectUntil();
  }

  /** See {@link Removal}. */
  public @Nullable Instant removalRetryAt() {
    return removal.retryAt();
  }

  /** See {@link Removal}. */
  public boolean removalFailed() {
    return removal.failed();
  }

  /** See {@link Removal}. */
  public boolean resourceLeft() {
    return removal.resourceLeft();
  }

  /** See {@link Origin}. */
  public boolean older() {
    return origin.older();
  }

  /** See {@link Origin}. */
  public boolean ofAnotherScaleSet() {
    return origin.ofAnotherScaleSet();
  }

  /** Whether it has ended, by its status or by its container. */
  public boolean isEnded() {
    return phase().isTerminal() || endedAt() != null;
  }

  /** Whether the service refused to remove it not long ago. */
  public boolean isBusySuspect(Instant now) {
    return removal.busySuspectUntil() != null
        && now.isBefore(removal.busySuspectUntil())
        && !isEnded();
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
  public boolean isRemovable(Instant now) {
    return !isEnded() && !terminating() && !askedToGo() && !busy() && !isBusySuspect(now);
  }

  /** Whether a removal of it that failed may be tried again by now. */
  public boolean mayBeAsked(Instant now) {
    return removal.retryAt() == null || !now.isBefore(removal.retryAt());
  }

  /**
   * Whether its job no longer counts as demand: the message that completed it has been weighed, or
   * the settle window is over (LV2). A runner of another scale set stands for no demand of this one
   * unless it runs a job.
   */
  public boolean isReleased(long demandMessageId, Instant now) {
    if (job.completedIn() != null && job.completedIn() <= demandMessageId) {
      return true;
    }
    if (ofAnotherScaleSet() && !isRunningJob() && !isBusySuspect(now)) {
      return true;
    }
    return life.endedAt() != null && !now.isBefore(life.endedAt().plus(Times.SETTLE));
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
    if (phase() == RunnerPhase.FAILED || phase() == RunnerPhase.OUTDATED) {
      return busy();
    }
    if (terminating() || askedToGo()) {
      return busy() || isBusySuspect(now);
    }
    return true;
  }
}

package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Backoff;
import dev.runnerset.controller.removal.RemovalBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the process remembers of one set between two looks at it. Losing it is harmless: refusals
 * and marks stand in the runners' statuses, and a backoff begins anew. Thread-safe.
 */
final class SetMemory {
  private @Nullable Instant surplusSince; // guarded by this
  private boolean passRunning; // guarded by this
  private long passes; // guarded by this
  private RemovalBudget removalBudget = RemovalBudget.FRESH; // guarded by this
  private CreationBackoff creationBackoff = CreationBackoff.NONE; // guarded by this
  private String lastFailure = ""; // guarded by this
  private boolean looked; // guarded by this
  private @Nullable String rejectedRevision; // guarded by this
  private String revision = ""; // guarded by this
  private Instant statusNotBefore = Instant.EPOCH; // guarded by this
  private Instant childrenNotBefore = Instant.EPOCH; // guarded by this
  private final Set<String> askedToGo = new HashSet<>(); // uids; guarded by this
  private final Map<String, Instant> removedAtByUid = new HashMap<>(); // guarded by this
  private final Map<String, Instant> suspectUntilByUid = new HashMap<>(); // guarded by this
  private final Map<String, RemovalRetry> retryByUid = new HashMap<>(); // guarded by this
  private final Map<String, Instant> completionSeenByUid = new HashMap<>(); // guarded by this
  private final Set<String> removalFailed = new HashSet<>(); // uids; guarded by this
  private final Set<String> countedStarts = new HashSet<>(); // uids; guarded by this
  private final Set<String> countedFailures = new HashSet<>(); // uids; guarded by this
  private final Set<String> countedJobs = new HashSet<>(); // uids; guarded by this

  synchronized @Nullable Instant surplusSince() {
    return surplusSince;
  }

  synchronized void surplusSince(@Nullable Instant since) {
    surplusSince = since;
  }

  synchronized boolean isPassRunning() {
    return passRunning;
  }

  /** True when no pass was running, and one is now. */
  synchronized boolean beginPass() {
    if (passRunning) {
      return false;
    }
    passRunning = true;
    passes++;
    return true;
  }

  /** How many passes have begun. */
  synchronized long passes() {
    return passes;
  }

  synchronized void endPass(int removed, int refused, int failed, Instant now) {
    passRunning = false;
    removalBudget = removalBudget.after(removed, refused, failed, now);
  }

  synchronized RemovalBudget removalBudget() {
    return removalBudget;
  }

  synchronized CreationBackoff creationBackoff() {
    return creationBackoff;
  }

  /** A runner failed; true when that is news. */
  synchronized boolean failed(String uid, Instant at, String message) {
    boolean news = countedFailures.add(uid);
    if (news) {
      creationBackoff = creationBackoff.afterFailure(at);
      lastFailure = message;
    }
    return news;
  }

  /** A pod was made for a runner; counted once. */
  synchronized void started(String uid) {
    if (countedStarts.add(uid)) {
      creationBackoff = creationBackoff.afterStart();
    }
  }

  /** What runners are made of now; another revision is tried at once, whatever the last did. */
  synchronized void revision(String wanted) {
    if (!revision.equals(wanted)) {
      revision = wanted;
      creationBackoff = CreationBackoff.NONE;
      lastFailure = "";
    }
  }

  /** Runners could not be made. */
  synchronized void creationFailed(Instant at, String message) {
    creationBackoff = creationBackoff.afterFailure(at);
    lastFailure = message;
  }

  /** True once: whether the runners of the set are seen for the first time. */
  synchronized boolean isFirstLook() {
    boolean first = !looked;
    looked = true;
    return first;
  }

  /** A runner whose end and whose job are not to be counted. */
  synchronized void countNoMore(String uid) {
    countedFailures.add(uid);
    countedJobs.add(uid);
  }

  /** The revision whose version the service refused; null for none. */
  synchronized @Nullable String rejectedRevision() {
    return rejectedRevision;
  }

  synchronized void rejectedRevision(@Nullable String revision) {
    rejectedRevision = revision;
  }

  synchronized String lastFailure() {
    return lastFailure;
  }

  /** A runner got a job; counted once. */
  synchronized void gotJob(String uid) {
    if (countedJobs.add(uid)) {
      creationBackoff = creationBackoff.afterJob();
    }
  }

  synchronized void askedToGo(String uid) {
    askedToGo.add(uid);
  }

  /** The service refused to remove a runner; the cache learns of it later than we do. */
  synchronized void refused(String uid, @Nullable Instant suspectUntil) {
    askedToGo.remove(uid);
    if (suspectUntil != null) {
      suspectUntilByUid.put(uid, suspectUntil);
    }
  }

  /** Until when a refusal counts that this process met; null for none. */
  synchronized @Nullable Instant suspectUntil(String uid) {
    return suspectUntilByUid.get(uid);
  }

  /** The removal of a runner failed: the next try waits 2 s, doubling to a minute. */
  synchronized void removalFailed(String uid, Instant now) {
    removalFailed.add(uid);
    removalUnfinished(uid, now);
  }

  /** The removal of a runner is not done yet, without an error of the service: waits as long. */
  synchronized void removalUnfinished(String uid, Instant now) {
    askedToGo.remove(uid);
    retryByUid.merge(uid, RemovalRetry.first(now), (old, first) -> old.next(now));
  }

  /** The job of a runner is over; the first time counts. */
  synchronized void completionSeen(String uid, Instant at) {
    completionSeenByUid.putIfAbsent(uid, at);
  }

  /** When it was first seen that its job is over; null for not yet. */
  synchronized @Nullable Instant completionSeenAt(String uid) {
    return completionSeenByUid.get(uid);
  }

  synchronized boolean hasRemovalFailed(String uid) {
    return removalFailed.contains(uid);
  }

  /** A runner was not deleted, for it is not as it was seen: its change comes as an event. */
  synchronized void changedSinceAsked(String uid) {
    askedToGo.remove(uid);
  }

  synchronized @Nullable Instant removalRetryAt(String uid) {
    var retry = retryByUid.get(uid);
    return retry == null ? null : retry.at();
  }

  synchronized boolean isAskedToGo(String uid) {
    return askedToGo.contains(uid);
  }

  synchronized void removed(String uid, Instant at) {
    removedAtByUid.put(uid, at);
  }

  /** Removals that an observation of that instant did not see. */
  synchronized int removedSince(@Nullable Instant observedAt) {
    if (observedAt == null) {
      return 0;
    }
    removedAtByUid.values().removeIf(at -> at.isBefore(observedAt));
    return removedAtByUid.size();
  }

  /** Forgets all but the runners that are there. */
  synchronized void retain(Set<String> uids) {
    askedToGo.retainAll(uids);
    suspectUntilByUid.keySet().retainAll(uids);
    retryByUid.keySet().retainAll(uids);
    removalFailed.retainAll(uids);
    completionSeenByUid.keySet().retainAll(uids);
    countedStarts.retainAll(uids);
    countedFailures.retainAll(uids);
    countedJobs.retainAll(uids);
  }

  /** The status was written: not again before that. */
  synchronized void statusWritten(Instant notBefore) {
    statusNotBefore = notBefore;
  }

  /** The children were written: not again before that. */
  synchronized void childrenWritten(Instant notBefore) {
    childrenNotBefore = notBefore;
  }

  synchronized Instant childrenNotBefore() {
    return childrenNotBefore;
  }

  synchronized Instant statusNotBefore() {
    return statusNotBefore;
  }

  /** When a removal that failed is tried again. */
  private record RemovalRetry(int failures, Instant at) {
    private static final Backoff WAIT = Backoff.of(Duration.ofSeconds(2), Duration.ofSeconds(60));

    static RemovalRetry first(Instant now) {
      return after(1, now);
    }

    RemovalRetry next(Instant now) {
      return after(failures + 1, now);
    }

    private static RemovalRetry after(int failures, Instant now) {
      return new RemovalRetry(failures, now.plus(WAIT.after(failures)));
    }
  }
}

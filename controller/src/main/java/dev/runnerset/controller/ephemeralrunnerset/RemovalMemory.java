package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Backoff;
import dev.runnerset.controller.removal.RemovalBudget;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.controller.removal.RunnerView;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the process remembers of the removal of a set's runners: the pass under way, the budget of
 * refusals, and what was asked for and is not in the cache yet. Thread-safe.
 */
final class RemovalMemory {
  private boolean passRunning; // guarded by this
  private long passes; // guarded by this
  private int requests; // of reconcilers of runners, under way; guarded by this
  private RemovalBudget budget = RemovalBudget.FRESH; // guarded by this
  private final Set<String> askedToGo = new HashSet<>(); // uids; guarded by this
  private final Set<String> resourceLeft = new HashSet<>(); // uids; guarded by this
  private final Map<String, Instant> removedAtByUid = new HashMap<>(); // guarded by this
  private final Map<String, Instant> suspectUntilByUid = new HashMap<>(); // guarded by this
  private final Map<String, Retry> retryByUid = new HashMap<>(); // guarded by this
  private final Set<String> failed = new HashSet<>(); // uids; guarded by this

  /** Whether no pass may begin, since another one or a request of a runner is under way. */
  synchronized boolean isPassRunning() {
    return passRunning || requests > 0;
  }

  /** Begins a request of a runner's own reconciler; false if it must wait (SD6). */
  synchronized boolean beginRequest(Instant now) {
    if (passRunning || !budget.isOpen(now) || requests >= budget.refusalsLeft(now)) {
      return false;
    }
    requests++;
    return true;
  }

  /** Ends such a request. */
  synchronized void endRequest(RunnerRemover.Outcome outcome, Instant now) {
    requests--;
    budget =
        switch (outcome) {
          case RunnerRemover.Outcome.Removed(var byUs) -> budget.after(byUs ? 1 : 0, 0, 0, now);
          case RunnerRemover.Outcome.Refused() -> budget.after(0, 1, 0, now);
          case RunnerRemover.Outcome.Failed _ -> budget.after(0, 0, 1, now);
          case RunnerRemover.Outcome.UnderWay(), RunnerRemover.Outcome.ResourceLeft() -> budget;
        };
  }

  /**
   * Begins a pass; false while another one or a request of a runner is under way, or if a pass has
   * begun meanwhile.
   *
   * @param begun how many passes had begun when this one was planned
   */
  synchronized boolean beginPass(long begun) {
    if (isPassRunning() || passes != begun) {
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

  /** Ends the pass; the counts are those of {@link RemovalBudget#after}. */
  synchronized void endPass(int removed, int refused, int failures, Instant now) {
    passRunning = false;
    budget = budget.after(removed, refused, failures, now);
  }

  synchronized RemovalBudget budget() {
    return budget;
  }

  synchronized void askedToGo(String uid) {
    askedToGo.add(uid);
  }

  synchronized boolean isAskedToGo(String uid) {
    return askedToGo.contains(uid);
  }

  /** The service refused to remove a runner; the cache learns of it later. */
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
  synchronized void failed(String uid, Instant now) {
    failed.add(uid);
    unfinished(uid, now);
  }

  /** The removal of a runner is not done yet, without an error: the next try waits as long. */
  synchronized void unfinished(String uid, Instant now) {
    askedToGo.remove(uid);
    retryByUid.merge(uid, Retry.first(now), (old, first) -> old.next(now));
  }

  /** Only the resource of a runner is left: its deletion waits as long before the next try. */
  synchronized void resourceLeft(String uid, Instant now) {
    resourceLeft.add(uid);
    unfinished(uid, now);
  }

  synchronized boolean hasFailed(String uid) {
    return failed.contains(uid);
  }

  /** When the removal of a runner may be tried again; null if none failed. */
  synchronized @Nullable Instant retryAt(String uid) {
    var retry = retryByUid.get(uid);
    return retry == null ? null : retry.at();
  }

  /** A runner was not deleted, since it had changed: an event tells of its change. */
  synchronized void changedSinceAsked(String uid) {
    askedToGo.remove(uid);
  }

  /** An idle runner was removed by a request that was sent at that instant. */
  synchronized void removed(String uid, Instant askedAt) {
    removedAtByUid.put(uid, askedAt);
  }

  /** How many removals an observation of that instant did not see; 0 without an observation. */
  synchronized int removedSince(@Nullable Instant observedAt) {
    if (observedAt == null) {
      return 0;
    }
    removedAtByUid.values().removeIf(at -> at.isBefore(observedAt));
    return removedAtByUid.size();
  }

  /** How many removals the counts of that instant did not see; forgets none. */
  synchronized int countRemovedSince(Instant observedAt) {
    return (int) removedAtByUid.values().stream().filter(at -> !at.isBefore(observedAt)).count();
  }

  /**
   * What is known of the removal of one runner.
   *
   * @param busySuspectUntil as its status says; null for none
   */
  synchronized RunnerView.Removal view(
      String uid, boolean terminating, @Nullable Instant busySuspectUntil) {
    boolean left = resourceLeft.contains(uid);
    return new RunnerView.Removal(
        terminating,
        left || isAskedToGo(uid),
        later(busySuspectUntil, suspectUntil(uid)),
        retryAt(uid),
        hasFailed(uid),
        left && !isAskedToGo(uid));
  }

  private static @Nullable Instant later(@Nullable Instant a, @Nullable Instant b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return a.isAfter(b) ? a : b;
  }

  /** Forgets all runners but these. */
  synchronized void retain(Set<String> uids) {
    askedToGo.retainAll(uids);
    resourceLeft.retainAll(uids);
    suspectUntilByUid.keySet().retainAll(uids);
    retryByUid.keySet().retainAll(uids);
    failed.retainAll(uids);
  }

  /** When a removal that failed is tried again. */
  private record Retry(int failures, Instant at) {
    private static final Backoff WAIT = Backoff.of(Duration.ofSeconds(2), Duration.ofSeconds(60));

    static Retry first(Instant now) {
      return after(1, now);
    }

    Retry next(Instant now) {
      return after(failures + 1, now);
    }

    private static Retry after(int failures, Instant now) {
      return new Retry(failures, now.plus(WAIT.after(failures)));
    }
  }
}

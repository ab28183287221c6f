package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.removal.RemovalBudget;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerRemover.Outcome;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.RunnerView.Removal;
import dev.runnerset.controller.timing.Times;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What the process remembers of the removal of a set's runners: how many requests are under way,
 * the budget of refusals, and what is not in the cache yet. Thread-safe.
 */
final class RemovalMemory {
  private int underWay; // guarded by this
  private RemovalBudget budget = RemovalBudget.FRESH; // guarded by this
  private final Map<String, Removal> removalByUid = new HashMap<>(); // guarded by this
  private Set<String> changed = new LinkedHashSet<>(); // uids; guarded by this
  private final Map<String, Instant> askedAtByUid = new HashMap<>(); // idle ones; guarded by this

  /** How many removals may begin now. */
  synchronized int free(Instant now) {
    return Math.max(0, budget.atOnce(now) - underWay);
  }

  /** When more may begin without the end of another one; null if that is not known. */
  synchronized @Nullable Instant freeAt(Instant now) {
    return budget.moreAt(now);
  }

  /** Begins a request; false if it must wait (SD6). */
  synchronized boolean begin(Instant now) {
    if (free(now) == 0) {
      return false;
    }
    underWay++;
    return true;
  }

  /**
   * Ends such a request.
   *
   * @param errorsCount whether an error takes a place; else it is its runner's own affair
   */
  synchronized void end(Outcome outcome, boolean errorsCount, Instant now) {
    underWay--;
    budget =
        switch (outcome) {
          case Outcome.Removed(var byUs) -> byUs ? budget.removed() : budget;
          case Outcome.Refused() -> budget.refused(now);
          case Outcome.Failed _ -> errorsCount ? budget.failed(now) : budget;
          case Outcome.UnderWay(), Outcome.ResourceLeft() -> budget;
        };
  }

  /**
   * Begins the removal of a chosen runner; false if it must wait, or if another one is under way.
   * Counts observed earlier do not include it.
   *
   * @param agreed called last, whether the rule that chose it still does
   */
  synchronized boolean begin(
      RunnerView runner, RemovalReason reason, BooleanSupplier agreed, Instant now) {
    var known = removalByUid.getOrDefault(runner.uid(), Removal.NONE);
    if (known.underWay()
        || known.askedToGo()
        || free(now) == 0
        || !agreed.getAsBoolean()
        || !begin(now)) {
      return false;
    }
    update(runner.uid(), r -> r.with(true, !reason.isReplacedAfter()));
    if (runner.ready() && !runner.busy() && !runner.ofAnotherScaleSet()) {
      askedAtByUid.put(runner.uid(), now);
    }
    return true;
  }

  /**
   * Ends the removal of a chosen runner.
   *
   * @param suspectUntil until when a refusal counts; null for none
   */
  synchronized void end(
      String uid,
      RemovalReason reason,
      Outcome outcome,
      @Nullable Instant suspectUntil,
      Instant now) {
    end(outcome, reason.isErrorCounted(), now);
    switch (outcome) {
      case Outcome.Removed _ -> update(uid, r -> r.with(false, true));
      case Outcome.ResourceLeft() -> update(uid, r -> r.unfinished(true, r.failed(), now));
      case Outcome.Refused() -> {
        askedAtByUid.remove(uid);
        update(uid, r -> r.refused(suspectUntil));
      }
      case Outcome.UnderWay() -> {
        askedAtByUid.remove(uid);
        update(uid, r -> r.unfinished(r.resourceLeft(), r.failed(), now));
      }
      case Outcome.Failed _ -> {
        askedAtByUid.remove(uid);
        failed(uid, now);
      }
    }
  }

  /** The deletion of a runner's resource is asked for, without a request to the service. */
  synchronized void askedToGo(String uid) {
    update(uid, r -> r.with(false, true));
  }

  /** That deletion failed: the next try waits 2 s, doubling to a minute. */
  synchronized void failed(String uid, Instant now) {
    update(uid, r -> r.unfinished(r.resourceLeft(), true, now));
  }

  /** A runner was not deleted, since it had changed: an event tells of its change. */
  synchronized void changedSinceAsked(String uid) {
    update(uid, r -> r.with(false, false));
  }

  private void update(String uid, UnaryOperator<Removal> change) {
    removalByUid.put(uid, change.apply(removalByUid.getOrDefault(uid, Removal.NONE)));
    changed.add(uid);
  }

  /** How many removals an observation of that instant did not see; 0 without an observation. */
  synchronized int removedSince(@Nullable Instant observedAt) {
    if (observedAt == null) {
      return 0;
    }
    askedAtByUid.values().removeIf(at -> at.isBefore(observedAt));
    return askedAtByUid.size();
  }

  /** How many removals the counts of that instant did not see; forgets none. */
  synchronized int countRemovedSince(Instant observedAt) {
    return (int) askedAtByUid.values().stream().filter(at -> !at.isBefore(observedAt)).count();
  }

  /**
   * What is known of the removal of one runner.
   *
   * @param busySuspectUntil as its status says; null for none
   */
  synchronized Removal of(String uid, @Nullable Instant busySuspectUntil) {
    var r = removalByUid.getOrDefault(uid, Removal.NONE);
    return new Removal(
        r.underWay(),
        r.resourceLeft() || r.askedToGo(),
        r.resourceLeft() && !r.askedToGo(),
        Times.latest(busySuspectUntil, r.busySuspectUntil()),
        r.retryAt(),
        r.failures(),
        r.failed());
  }

  /** Uids of runners whose removal state changed since the last call. */
  synchronized Set<String> takeChanged() {
    var taken = changed;
    changed = new LinkedHashSet<>();
    return taken;
  }

  /** The runner is gone. */
  synchronized void isGone(String uid) {
    removalByUid.remove(uid);
  }
}

package dev.runnerset.controller.gc;

import dev.runnerset.base.Parallel;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.RunnerMode;
import java.time.Clock;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sweeps all sets for runners that have been idle for too long. */
final class IdleAgeSweeper {
  private static final Logger LOG = LoggerFactory.getLogger(IdleAgeSweeper.class);

  /** So many sets are swept at a time: one that waits for its service holds up no other. */
  private static final int AT_ONCE = 16;

  private final AgeCollection rules;
  private final SweptSets sets;
  private final SetRunners runners;
  private final ExecutorService threads;
  private final Clock clock;

  IdleAgeSweeper(
      AgeCollection rules,
      SweptSets sets,
      SetRunners runners,
      ExecutorService threads,
      Clock clock) {
    this.threads = threads;
    this.rules = rules;
    this.sets = sets;
    this.runners = runners;
    this.clock = clock;
  }

  /**
   * Sweeps the sets beside each other; an error of one set neither stops nor delays the others.
   * Blocks; ends early when this thread is interrupted, since then the process no longer leads.
   */
  void sweep() {
    var tasks = sets.all().stream().map(each -> Executors.callable(() -> trySweep(each))).toList();
    try {
      for (var result : Parallel.runOrCancel(threads, AT_ONCE, tasks)) {
        if (result instanceof Parallel.Result.Failed<Object>(var cause)
            && !(cause instanceof InterruptedException)) {
          throw new IllegalStateException(cause);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void trySweep(SweptSets.SweptSet each) {
    var key = SetKey.of(each.set());
    try {
      sweep(key, each);
    } catch (RuntimeException e) {
      rules.ledger().sweepFailed(key, "the set could not be swept: " + e.getMessage());
      LOG.atWarn()
          .addKeyValue("namespace", key.namespace())
          .addKeyValue("set", key.name())
          .addKeyValue("error", e.toString())
          .log("a set could not be swept for idle runners; the next sweep tries again");
    }
    if (rules.ledger().sweepEnded(key)) {
      sets.wake(key);
    }
  }

  private void sweep(SetKey key, SweptSets.SweptSet swept) {
    if (!(rules.limit(swept.set()) instanceof AgeLimit.After(var maximum))) {
      return;
    }
    if (!isSwept(swept)) {
      LOG.atDebug()
          .addKeyValue("namespace", key.namespace())
          .addKeyValue("set", key.name())
          .log("left out of the sweep: being deleted, not active, without a listener, or failing");
      return;
    }
    var picture = runners.of(key);
    if (picture.isEmpty()) {
      return;
    }
    var choice =
        IdleAgePlanner.choose(
            picture.get().runners(),
            picture.get().demand(),
            swept.set().minRunnersNow(),
            maximum,
            rules.settings().minimumAge(),
            clock.instant());
    if (choice.wanted() > 0) {
      collect(key, choice, AgeCollection.isReleasing(swept.set()));
    }
  }

  /**
   * Whether a set is swept: not while it is being deleted, paused, drained or failing, or has no
   * connected listener.
   */
  private static boolean isSwept(SweptSets.SweptSet swept) {
    return swept.listening() && !swept.failing() && isActive(swept.set());
  }

  private static boolean isActive(AutoScalingRunnerSet set) {
    var mode = set.getSpec().mode();
    return set.getMetadata().getDeletionTimestamp() == null
        && (mode == null || mode == RunnerMode.ACTIVE);
  }

  private void collect(SetKey key, RemovalPlan choice, boolean releasing) {
    int reserved = releasing ? choice.wanted() : 0;
    rules.ledger().reserve(key, reserved);
    int gone = 0;
    try {
      gone = runners.collect(key, choice, () -> allowedNow(key, choice));
    } finally {
      rules.ledger().collected(key, gone, releasing ? gone : 0, reserved, clock.instant());
      sets.wake(key);
    }
    if (gone > 0) {
      LOG.atInfo()
          .addKeyValue("namespace", key.namespace())
          .addKeyValue("set", key.name())
          .addKeyValue("reason", RemovalReason.AGE)
          .addKeyValue("removed", gone)
          .addKeyValue("oldestIdleSince", choice.candidates().getFirst().waitingSince())
          .log("collected idle runners for their age");
    }
  }

  private int allowedNow(SetKey key, RemovalPlan choice) {
    var picture = runners.of(key);
    return picture.isEmpty() || sets.one(key).filter(IdleAgeSweeper::isSwept).isEmpty()
        ? 0
        : IdleAgePlanner.allowedNow(
            choice, picture.get().runners(), picture.get().demand(), clock.instant());
  }
}

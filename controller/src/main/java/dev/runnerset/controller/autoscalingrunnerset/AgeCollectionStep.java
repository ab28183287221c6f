package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.controller.autoscalingrunnerset.status.ConditionInput;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.autoscalingrunnerset.status.RunnerSetCondition;
import dev.runnerset.controller.autoscalingrunnerset.status.RunnerSetStatus;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.gc.AgeCollection;
import dev.runnerset.controller.gc.AgeLimit;
import dev.runnerset.controller.gc.CollectionLedger;
import dev.runnerset.controller.gc.CollectionState;
import dev.runnerset.controller.gc.SetKey;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.condition.EventReason;
import org.jspecify.annotations.Nullable;

/** The part of age collection in a pass: its memory in the status, its refusal, its alarm. */
final class AgeCollectionStep {
  private final AgeCollection rules;
  private final StatusWriter statuses;
  private final Events events;
  private final Meters meters;

  AgeCollectionStep(AgeCollection rules, StatusWriter statuses, Events events, Meters meters) {
    this.rules = rules;
    this.statuses = statuses;
    this.events = events;
    this.meters = meters;
  }

  /**
   * Writes what sweeps and jobs changed in the memory, if anything; at once, since the wanted
   * number of runners depends on it.
   *
   * @return the set as stored
   */
  AutoScalingRunnerSet take(
      AutoScalingRunnerSet set, @Nullable EphemeralRunnerSet ers, WriteCache cache) {
    var key = SetKey.of(set);
    var before = CollectionState.of(set.statusOrNone());
    var pending = rules.ledger().pending(key).orElse(null);
    var after = before.after(change(set, ers, pending));
    var changed = after.equals(before) ? set : statuses.collected(set, after, cache);
    if (pending != null) {
      rules.ledger().reported(key, pending);
      alarm(changed, after);
    }
    return changed;
  }

  private CollectionState.Change change(
      AutoScalingRunnerSet set,
      @Nullable EphemeralRunnerSet ers,
      CollectionLedger.@Nullable Pending pending) {
    return new CollectionState.Change(
        rules.limit(set) instanceof AgeLimit.After,
        AgeCollection.isReleasing(set),
        set.minRunnersNow(),
        pending,
        isJobAssigned(set, ers),
        rules.ledger().lastJob(SetKey.of(set)));
  }

  /** Whether the service has assigned more jobs than the status tells. */
  private static boolean isJobAssigned(AutoScalingRunnerSet set, @Nullable EphemeralRunnerSet ers) {
    var known = set.statusOrNone().jobs();
    var heard = RunnerSetStatus.jobs(ers);
    return known != null && heard != null && heard.assigned() > known.assigned();
  }

  private void alarm(AutoScalingRunnerSet set, CollectionState state) {
    if (state.isThrashing(set.minRunnersNow())) {
      var key = SetKey.of(set);
      meters.count(Meter.RUNNER_GC_THRASH, key.namespace(), key.name());
      events.warn(
          set, EventReason.RUNNER_GC_THRASHING, RunnerSetCondition.thrashing(state.collected()));
    }
  }

  /** The wanted number was written: once the caches have it, the places need no reserve. */
  void lowered(AutoScalingRunnerSet set, EphemeralRunnerSet target) {
    var meta = target.getMetadata();
    rules.ledger().lowered(SetKey.of(set), meta.getUid(), meta.getGeneration());
  }

  /** What the conditions of the set tell of age collection. */
  ConditionInput.AgeCollection facts(AutoScalingRunnerSet set) {
    var state = CollectionState.of(set.statusOrNone());
    var refused =
        rules.limit(set) instanceof AgeLimit.Refused(var reason, var message)
            ? new Finding(reason, message)
            : null;
    return new ConditionInput.AgeCollection(
        refused,
        rules.ledger().failure(SetKey.of(set)),
        state.collected(),
        state.isThrashing(set.minRunnersNow()));
  }

  /** The set no longer exists. */
  void forget(AutoScalingRunnerSet set) {
    rules.ledger().forget(SetKey.of(set));
  }
}

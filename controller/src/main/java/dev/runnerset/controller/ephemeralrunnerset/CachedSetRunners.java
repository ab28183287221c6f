package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.gc.CollectionLedger;
import dev.runnerset.controller.gc.SetKey;
import dev.runnerset.controller.gc.SetRunners;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.crds.EphemeralRunnerSet;
import java.util.Optional;
import java.util.function.IntSupplier;

/** Gives the sweeps of age collection the runners of the caches, and removes runners for them. */
final class CachedSetRunners implements SetRunners {
  private final RunnerGathering gathering;
  private final ReplicasActions actions;
  private final SetCaches caches;
  private final CollectionLedger ledger;

  CachedSetRunners(
      RunnerGathering gathering,
      ReplicasActions actions,
      SetCaches caches,
      CollectionLedger ledger) {
    this.ledger = ledger;
    this.gathering = gathering;
    this.actions = actions;
    this.caches = caches;
  }

  @Override
  public Optional<Snapshot> of(SetKey key) {
    return caches.set(key.namespace(), key.name()).map(this::snapshot);
  }

  private Snapshot snapshot(EphemeralRunnerSet set) {
    return new Snapshot(
        gathering.aged(set, caches.labelled(set), caches.memory(set)), set.statusOrNone().demand());
  }

  @Override
  public int collect(SetKey key, RemovalPlan plan, IntSupplier allowedNow) {
    var found = caches.set(key.namespace(), key.name());
    if (found.isEmpty()) {
      return 0;
    }
    var tally = actions.remove(found.get(), plan, allowedNow);
    if (tally.failed() > 0) {
      ledger.sweepFailed(
          key,
          tally.failed()
              + " of the runners that have been idle for too long could not be removed at the"
              + " service, which gave no answer or an error; the next sweep tries again");
    }
    return tally.removed();
  }
}

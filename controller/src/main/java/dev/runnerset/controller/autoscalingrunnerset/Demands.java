package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.controller.autoscalingrunnerset.planning.ChildNames;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.controller.ownership.Meta;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The demand of each set, which is in the status of its listener object (DM7). While that object is
 * not in the cache, as while the controller may not read its namespace, the last demand of this
 * process counts. Thread-safe.
 */
public final class Demands {
  private static final Slot<Optional<Demand>> LAST = new Slot<>(Optional.empty());
  private static final Slot<Waiting> WAITING = new Slot<>();

  /** How many jobs waited, as this process has read. */
  private record Waiting(int jobs, Instant at) {}

  private final Function<String, Optional<AutoScalingListener>> listeners;
  private final Memories ofSets;

  /**
   * The demands in listener objects.
   *
   * @param listeners the one of that name in the cache
   * @param ofSets what the process remembers of runner sets
   */
  public Demands(Function<String, Optional<AutoScalingListener>> listeners, Memories ofSets) {
    this.listeners = listeners;
    this.ofSets = ofSets;
  }

  /** The EphemeralRunnerSet with the demand of its set; passes read it there. */
  public EphemeralRunnerSet put(EphemeralRunnerSet ers) {
    var setUid = Ownership.setUid(ers);
    if (setUid.isEmpty()) {
      return ers; // of no set
    }
    var ofSet = ofSets.of(setUid.get());
    var last =
        listener(ers, setUid.get())
            .map(listener -> Optional.ofNullable(listener.statusOrNone().demand()))
            .map(demand -> ofSet.change(LAST, before -> demand))
            .orElseGet(() -> ofSet.get(LAST));
    // a listener of protocol level 1 writes into the EphemeralRunnerSet (ADR 111)
    var demand = Demand.later(last.orElse(null), ers.statusOrNone().demand());
    return ers.withDemand(demand == null ? null : latest(demand, ofSet.find(WAITING)));
  }

  private static Demand latest(Demand demand, @Nullable Waiting read) {
    return read != null && (demand.observedAt() == null || read.at().isAfter(demand.observedAt()))
        ? demand.withAvailable(read.jobs())
        : demand;
  }

  /**
   * This process has read how many jobs wait. That counts until the listener reports later ones.
   *
   * @return whether the number has changed
   */
  public boolean read(EphemeralRunnerSet ers, int waiting, Instant askedAt) {
    var setUid = Ownership.setUid(ers);
    var demand = put(ers).knownDemand();
    if (setUid.isEmpty() || demand == null) {
      return false;
    }
    ofSets.of(setUid.get()).put(WAITING, new Waiting(waiting, askedAt));
    return !Integer.valueOf(waiting).equals(demand.available());
  }

  private Optional<AutoScalingListener> listener(EphemeralRunnerSet ers, String setUid) {
    var key = SetKey.of(ers);
    return listeners
        .apply(ChildNames.listener(key.namespace(), key.name()))
        .filter(listener -> setOf(listener).filter(key::equals).isPresent())
        .filter(listener -> setUid.equals(Meta.annotations(listener).get(Labels.SET_UID)));
  }

  /** The set that a listener object was made for; empty if it has not the labels of one. */
  public static Optional<SetKey> setOf(AutoScalingListener listener) {
    var labels = Meta.labels(listener);
    var namespace = labels.get(Labels.SET_NAMESPACE);
    var name = labels.get(Labels.SET);
    return namespace == null || name == null
        ? Optional.empty()
        : Optional.of(new SetKey(namespace, name));
  }
}

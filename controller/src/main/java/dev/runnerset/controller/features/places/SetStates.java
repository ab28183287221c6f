package dev.runnerset.controller.features.places;

import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.crds.AutoScalingRunnerSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The states of all sets of the process; of one namespace without a look at others. Thread-safe.
 */
final class SetStates {
  private static final Slot<SetState> STATE = new Slot<>();

  private final Memories ofSets;
  private final Map<String, Set<String>> uidsByNamespace = new ConcurrentHashMap<>();

  SetStates(Memories ofSets) {
    this.ofSets = ofSets;
  }

  /** Null before the first look at the set. */
  @Nullable SetState find(AutoScalingRunnerSet set) {
    return ofSets.of(set).find(STATE);
  }

  void put(AutoScalingRunnerSet set, SetState state) {
    ofSets.of(set).put(STATE, state);
    uidsByNamespace
        .computeIfAbsent(set.getMetadata().getNamespace(), _ -> ConcurrentHashMap.newKeySet())
        .add(set.getMetadata().getUid());
  }

  Collection<SetState> all() {
    return ofSets.all(STATE).values();
  }

  List<SetState> in(String namespace) {
    var uids = uidsByNamespace.getOrDefault(namespace, Set.of());
    var states = new ArrayList<SetState>();
    for (var uid : uids) {
      var state = ofSets.of(uid).find(STATE);
      if (state != null) {
        states.add(state);
      } else {
        forget(uids, uid);
      }
    }
    return states;
  }

  /** The set is gone, unless a pass remembers it just now. */
  private void forget(Set<String> uids, String uid) {
    uids.remove(uid);
    if (ofSets.of(uid).find(STATE) != null) {
      uids.add(uid);
    }
  }
}

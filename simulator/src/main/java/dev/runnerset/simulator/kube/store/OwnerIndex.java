package dev.runnerset.simulator.kube.store;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Which uids are alive, and which objects name a uid as their owner. Thread-safe. */
public final class OwnerIndex {
  private final Map<String, ObjectRef> refByUid = new ConcurrentHashMap<>();
  private final Map<String, Set<ObjectRef>> dependentsByUid = new ConcurrentHashMap<>();

  public static Set<String> owners(@Nullable StoredObject object) {
    Set<String> uids = new HashSet<>();
    if (object != null) {
      for (JsonNode ref : object.json().path("metadata").path("ownerReferences")) {
        uids.add(ref.path("uid").asText());
      }
    }
    return uids;
  }

  void changed(ObjectRef ref, @Nullable StoredObject before, @Nullable StoredObject after) {
    if (after != null && before == null) {
      refByUid.put(after.uid(), ref);
    } else if (after == null && before != null) {
      refByUid.remove(before.uid());
    }
    Set<String> was = owners(before);
    Set<String> is = owners(after);
    for (String uid : is) {
      if (!was.contains(uid)) {
        dependentsByUid.compute(uid, (u, set) -> with(set, ref));
      }
    }
    for (String uid : was) {
      if (!is.contains(uid)) {
        dependentsByUid.computeIfPresent(uid, (u, set) -> without(set, ref));
      }
    }
  }

  private static Set<ObjectRef> with(@Nullable Set<ObjectRef> set, ObjectRef ref) {
    Set<ObjectRef> grown = set == null ? ConcurrentHashMap.newKeySet() : set;
    grown.add(ref);
    return grown;
  }

  private static @Nullable Set<ObjectRef> without(Set<ObjectRef> set, ObjectRef ref) {
    set.remove(ref);
    return set.isEmpty() ? null : set;
  }

  public @Nullable ObjectRef find(String uid) {
    return refByUid.get(uid);
  }

  public Set<ObjectRef> dependents(String uid) {
    return Set.copyOf(dependentsByUid.getOrDefault(uid, Set.of()));
  }
}

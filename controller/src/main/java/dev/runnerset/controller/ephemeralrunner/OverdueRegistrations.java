package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.crds.EphemeralRunner;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runners whose deadline to register is over, by uid. The service tells sums only, so the
 * reconciler of the set judges, and that of the runner ends it. Thread-safe.
 */
public final class OverdueRegistrations {
  private final Set<String> uids = ConcurrentHashMap.newKeySet();
  private final SimpleInboundEventSource<EphemeralRunner> wakeUps =
      new SimpleInboundEventSource<>("overdue-registrations");

  /** Triggers the reconciler of a runner that is added. */
  SimpleInboundEventSource<EphemeralRunner> wakeUps() {
    return wakeUps;
  }

  public boolean isOverdue(String uid) {
    return uids.contains(uid);
  }

  /**
   * Of these runners of a set, those and no others are overdue.
   *
   * @param all uids of all runners of the set
   */
  public void judge(Set<String> all, Collection<EphemeralRunner> overdue) {
    if (overdue.isEmpty() && uids.isEmpty()) {
      return; // nearly always
    }
    var now = overdue.stream().map(r -> r.getMetadata().getUid()).toList();
    all.stream().filter(uid -> !now.contains(uid)).forEach(uids::remove);
    for (var runner : overdue) {
      if (uids.add(runner.getMetadata().getUid())) {
        wakeUps.propagateEvent(ResourceID.fromResource(runner));
      }
    }
  }

  /** Triggers the reconciler of each: their set changed, which is no event of theirs. */
  public void wake(Collection<EphemeralRunner> runners) {
    runners.forEach(runner -> wakeUps.propagateEvent(ResourceID.fromResource(runner)));
  }

  void forget(String uid) {
    uids.remove(uid);
  }
}

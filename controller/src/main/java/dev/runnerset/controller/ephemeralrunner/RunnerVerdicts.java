package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.controller.memory.Memories;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the reconciler of a set judges of its runners, by uid: whose deadline to register is over
 * (RN16), and whose pods need no shield (SH1). The service tells sums only, so the set is judged as
 * a whole, and the reconciler of the runner acts. Thread-safe.
 */
public final class RunnerVerdicts {
  private final Map<String, Boolean> overdueByUid;

  /** For each set whether its runners need no shield, by uid. */
  private final Map<String, Map<String, Boolean>> openBySet = new ConcurrentHashMap<>();

  private final Consumer<EphemeralRunner> trigger;

  /** Verdicts; {@code trigger} makes the reconciler of a runner run. */
  public RunnerVerdicts(Memories memories, Consumer<EphemeralRunner> trigger) {
    this.trigger = trigger;
    overdueByUid = memories.byUid();
  }

  public boolean isOverdue(String uid) {
    return overdueByUid.containsKey(uid);
  }

  /** Whether the pod of the runner needs no shield; null before its set was judged. */
  public @Nullable Boolean isOpen(EphemeralRunner runner) {
    var meta = runner.getMetadata();
    var set = meta.getLabels() == null ? null : meta.getLabels().get(Labels.SET);
    return openBySet.getOrDefault(meta.getNamespace() + "/" + set, Map.of()).get(meta.getUid());
  }

  /**
   * Replaces the overdue runners of one set.
   *
   * @param all uids of all runners of the set
   */
  public void judgeOverdue(Set<String> all, Collection<EphemeralRunner> late) {
    if (late.isEmpty() && overdueByUid.isEmpty()) {
      return; // nearly always
    }
    var now = late.stream().map(r -> r.getMetadata().getUid()).toList();
    all.stream().filter(uid -> !now.contains(uid)).forEach(overdueByUid::remove);
    for (var runner : late) {
      if (overdueByUid.putIfAbsent(runner.getMetadata().getUid(), true) == null) {
        trigger.accept(runner);
      }
    }
  }

  /**
   * Replaces the runners of one set whose pods need no shield.
   *
   * @param byUid all runners of the set
   */
  public void judgeOpen(
      EphemeralRunnerSet set, Map<String, EphemeralRunner> byUid, Set<String> open) {
    var now = new HashMap<String, Boolean>();
    byUid.keySet().forEach(uid -> now.put(uid, open.contains(uid)));
    var key = set.getMetadata().getNamespace() + "/" + set.getMetadata().getName();
    var stored = now.isEmpty() ? openBySet.remove(key) : openBySet.put(key, now);
    var before = stored == null ? Map.<String, Boolean>of() : stored;
    now.forEach((uid, isOpen) -> {
      var runner = byUid.get(uid);
      if (runner != null && isNews(before.get(uid), isOpen, runner)) {
        trigger.accept(runner);
      }
    });
  }

  /** The pod of a runner that this process makes is made with the shield. */
  private static boolean isNews(@Nullable Boolean before, boolean now, EphemeralRunner runner) {
    return before == null ? runner.statusOrNone().idleSince() != null : before != now;
  }

  /** Triggers the reconciler of each: their set changed, which is no event of theirs. */
  public void wake(Collection<EphemeralRunner> runners) {
    runners.forEach(trigger);
  }
}

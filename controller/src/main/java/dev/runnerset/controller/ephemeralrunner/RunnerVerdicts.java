package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.crds.EphemeralRunner;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the reconciler of a set judges of its runners, by uid: whose deadline to register is over
 * (RN16), and whose pods need no shield (SH1). The service tells sums only, so the set is judged as
 * a whole, and the reconciler of the runner acts. Thread-safe.
 */
public final class RunnerVerdicts {
  private static final Slot<Boolean> OPEN = new Slot<>();

  /** The uids of those that are overdue; without the sets that have none. */
  private final Map<SetKey, Set<String>> overdueBySet = new ConcurrentHashMap<>();

  private final Memories memories;
  private final Consumer<EphemeralRunner> trigger;

  /** Verdicts; {@code trigger} makes the reconciler of a runner run. */
  public RunnerVerdicts(Memories memories, Consumer<EphemeralRunner> trigger) {
    this.trigger = trigger;
    this.memories = memories;
  }

  public boolean isOverdue(String uid) {
    return overdueBySet.values().stream().anyMatch(uids -> uids.contains(uid));
  }

  /** Whether the pod of the runner needs no shield; null before its set was judged. */
  public @Nullable Boolean isOpen(EphemeralRunner runner) {
    return memories.of(runner).find(OPEN);
  }

  /** Replaces the overdue runners of one set. */
  public void judgeOverdue(SetKey set, Collection<EphemeralRunner> late) {
    var now = late.stream().map(r -> r.getMetadata().getUid()).collect(Collectors.toSet());
    var stored = now.isEmpty() ? overdueBySet.remove(set) : overdueBySet.put(set, now);
    var before = Objects.requireNonNullElse(stored, Set.<String>of());
    late.stream().filter(r -> !before.contains(r.getMetadata().getUid())).forEach(trigger);
  }

  /** Judges whether the pod of a runner needs no shield. */
  public void judgeOpen(EphemeralRunner runner, boolean isOpen) {
    if (isNews(memories.of(runner).put(OPEN, isOpen), isOpen, runner)) {
      trigger.accept(runner);
    }
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

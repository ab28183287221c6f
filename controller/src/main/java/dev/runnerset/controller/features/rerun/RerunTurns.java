package dev.runnerset.controller.features.rerun;

import dev.runnerset.controller.features.rerun.LostRuns.Run;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What this process remembers of the lost jobs of one set. A process that begins knows nothing, and
 * reads each run at once. Thread-safe.
 */
final class RerunTurns {
  private final AtomicBoolean underWay = new AtomicBoolean();
  private final Map<Run, Instant> nextByRun = new ConcurrentHashMap<>();
  private final Set<Run> unanswered = ConcurrentHashMap.newKeySet();
  private volatile long knownRights = -1;
  private volatile Instant rightsAt = Instant.MIN;

  /** Takes the turn of the set, unless another thread has it. */
  boolean begin() {
    return underWay.compareAndSet(false, true);
  }

  void end() {
    underWay.set(false);
  }

  boolean isDue(Run run, Instant now) {
    return !nextByRun.getOrDefault(run, Instant.MIN).isAfter(now);
  }

  /** When the run is read next. */
  void next(Run run, Instant at) {
    nextByRun.put(run, at);
  }

  /** Only these runs have lost jobs still. */
  void keep(Set<Run> runs) {
    nextByRun.keySet().retainAll(runs);
    unanswered.retainAll(runs);
  }

  /** The answer to a question for a new attempt was lost. */
  void unanswered(Run run) {
    unanswered.add(run);
  }

  /** Whether an answer was lost; asked once. */
  boolean wasUnanswered(Run run) {
    return unanswered.remove(run);
  }

  /** Whether it is time to learn what credentials of that version may do. */
  boolean asksForRights(long version, Instant now) {
    return knownRights != version && !rightsAt.isAfter(now);
  }

  /** What they may do is known, and reported. */
  void knowsRights(long version) {
    knownRights = version;
  }

  /** It is not known yet. */
  void asksForRightsAt(Instant at) {
    rightsAt = at;
  }
}

package dev.runnerset.controller.features.history;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.features.history.HistoryPruner.Fitted;
import dev.runnerset.crds.HistoryEntry;
import dev.runnerset.crds.HistoryEntry.State;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The next history of a runner set, from the stored history and the observed children (HS5).
 * Nothing is remembered beside the list: its first entry says what is current.
 */
@Pure
public final class RolloutHistory {
  /** Why a partial entry was closed. */
  public static final String SUPERSEDED = "Superseded";

  private RolloutHistory() {}

  /** What is to be stored, or empty when nothing changes. */
  public static Optional<Fitted> next(
      List<HistoryEntry> stored, Rollout seen, HistoryPolicy policy, Instant now) {
    var at = now.truncatedTo(ChronoUnit.SECONDS);
    var entries = new ArrayList<>(stored);
    boolean begins = stored.isEmpty() || !stored.getFirst().revision().equals(seen.revision());
    if (begins) {
      begin(entries, seen, at);
    }
    // INVARIANT: what follows another entry completes at a later pass. In A, B, A the counts seen
    // with the second A may still be those of the first.
    boolean mayAdvance = !begins || stored.isEmpty();
    if (mayAdvance && isNewest(entries, seen)) {
      entries.set(0, advanced(entries.getFirst(), seen, at));
    }
    var fitted = HistoryPruner.fit(entries, policy);
    return fitted.entries().equals(stored) ? Optional.empty() : Optional.of(fitted);
  }

  /** Whether the newest entry of what is stored is still to be completed by what is seen. */
  public static boolean isOpen(List<HistoryEntry> stored, Rollout seen) {
    return seen.complete() && isNewest(stored, seen) && stored.getFirst().state() == State.PARTIAL;
  }

  private static boolean isNewest(List<HistoryEntry> entries, Rollout seen) {
    return !entries.isEmpty() && entries.getFirst().revision().equals(seen.revision());
  }

  /** Prepends, then ranks (HS1); without an image there is nothing to tell of. */
  private static void begin(List<HistoryEntry> entries, Rollout seen, Instant at) {
    if (seen.image().isEmpty()) {
      return;
    }
    if (!entries.isEmpty()) {
      entries.set(0, closed(entries.getFirst(), at));
    }
    entries.addFirst(
        new HistoryEntry(
            State.PARTIAL, seen.version(), seen.image(), seen.revision(), at, null, null));
  }

  private static HistoryEntry closed(HistoryEntry entry, Instant at) {
    return entry.state() == State.PARTIAL && entry.completionTime() == null
        ? new HistoryEntry(
            State.PARTIAL,
            entry.version(),
            entry.image(),
            entry.revision(),
            entry.startedTime(),
            at,
            SUPERSEDED)
        : entry;
  }

  /** A version learned later fills the gap; a completion is never taken back. */
  private static HistoryEntry advanced(HistoryEntry entry, Rollout seen, Instant at) {
    var version = entry.version().isEmpty() ? seen.version() : entry.version();
    boolean completes = seen.complete() && entry.state() == State.PARTIAL;
    return new HistoryEntry(
        completes ? State.COMPLETED : entry.state(),
        version,
        entry.image(),
        entry.revision(),
        entry.startedTime(),
        completes ? at : entry.completionTime(),
        completes ? null : entry.reason());
  }
}

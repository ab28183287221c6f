package dev.runnerset.controller.features.history;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.metrics.PruneReason;
import dev.runnerset.crds.HistoryEntry;
import dev.runnerset.crds.HistoryEntry.State;
import java.util.List;

/**
 * The rank of each entry of a history, newest first (HS2). INVARIANT: the entry that is being added
 * is in the list already, at index 0; ranked without it every index would be one too small.
 */
@Pure
final class HistoryRanking {
  private static final int NONE = -1;

  private final List<HistoryEntry> entries;
  private final HistoryPolicy policy;
  private final int mostRecentCompleted;

  HistoryRanking(List<HistoryEntry> entries, HistoryPolicy policy) {
    this.entries = entries;
    this.policy = policy;
    this.mostRecentCompleted = completed(0, 1);
  }

  /** What speaks for the entry, or against it, beside its place. */
  PruneReason reason(int index) {
    int newer = completed(index - 1, -1);
    int older = completed(index + 1, 1);
    if (entries.get(index).state() == State.COMPLETED) {
      boolean bookend =
          newer == NONE
              || older == NONE
              || !minor(newer).equals(minor(index))
              || !minor(older).equals(minor(index));
      return bookend ? PruneReason.MINOR_BOOKEND : PruneReason.OLDER;
    }
    if (newer == NONE || older == NONE) {
      return PruneReason.OLDER; // not between completions: index 0 and the last one are here
    }
    // the two partial terms exclude each other; the partial's own version does not count
    return minor(newer).equals(minor(older)) ? PruneReason.Z_STREAM : PruneReason.MINOR_TRANSITION;
  }

  /** In hundredths. */
  long rank(int index) {
    long weight =
        switch (reason(index)) {
          case OLDER -> 0;
          case MINOR_BOOKEND -> policy.minorBookendWeight();
          case MINOR_TRANSITION -> policy.minorTransitionWeight();
          case Z_STREAM -> policy.zStreamWeight();
        };
    return (isProtected(index) ? policy.protectedWeight() : 0)
        + weight
        + policy.placeWeight() * index;
  }

  /** The index of the lowest rank; of equal ones, which cannot be under the default, the oldest. */
  int lowest() {
    int lowest = entries.size() - 1;
    for (int i = lowest - 1; i >= 0; i--) {
      if (rank(i) < rank(lowest)) {
        lowest = i;
      }
    }
    return lowest;
  }

  private boolean isProtected(int index) {
    return index < policy.finalEntries()
        || index == entries.size() - 1
        || index == mostRecentCompleted;
  }

  /** The nearest completed entry from that index on, or {@link #NONE}. */
  private int completed(int from, int step) {
    for (int i = from; i >= 0 && i < entries.size(); i += step) {
      if (entries.get(i).state() == State.COMPLETED) {
        return i;
      }
    }
    return NONE;
  }

  private String minor(int index) {
    var entry = entries.get(index);
    return RunnerVersions.minor(entry.version(), entry.image());
  }
}

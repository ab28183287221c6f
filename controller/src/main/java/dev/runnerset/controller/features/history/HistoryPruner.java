package dev.runnerset.controller.features.history;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.HistoryEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Brings a history down to its size by dropping the entries of the lowest rank (HS1). */
@Pure
public final class HistoryPruner {
  private HistoryPruner() {}

  /**
   * One entry that was dropped.
   *
   * @param index its place in the list it was dropped from, 0 for the newest
   * @param rank in hundredths
   */
  public record Removed(HistoryEntry entry, PruneReason reason, int index, long rank) {}

  /** A history after at most one removal; {@code removed} is null when it fits. */
  public record Pruned(List<HistoryEntry> entries, @Nullable Removed removed) {
    /** Copies the list. */
    public Pruned {
      entries = List.copyOf(entries);
    }
  }

  /** A history that fits, and what was dropped for that, in the order of dropping. */
  public record Fitted(List<HistoryEntry> entries, List<Removed> removed) {
    /** Copies the lists. */
    public Fitted {
      entries = List.copyOf(entries);
      removed = List.copyOf(removed);
    }
  }

  /**
   * Drops the entry of the lowest rank if the list is too long.
   *
   * @param entries newest first, the one to be added among them
   */
  public static Pruned prune(List<HistoryEntry> entries, HistoryPolicy policy) {
    if (entries.size() <= policy.maxEntries()) {
      return new Pruned(entries, null);
    }
    var ranking = new HistoryRanking(entries, policy);
    int index = ranking.lowest();
    var left = new ArrayList<>(entries);
    var entry = left.remove(index);
    return new Pruned(left, new Removed(entry, ranking.reason(index), index, ranking.rank(index)));
  }

  /** Drops until the list fits; each time all that are left are ranked again. */
  public static Fitted fit(List<HistoryEntry> entries, HistoryPolicy policy) {
    var removed = new ArrayList<Removed>();
    var pruned = prune(entries, policy);
    while (pruned.removed() != null) {
      removed.add(pruned.removed());
      pruned = prune(pruned.entries(), policy);
    }
    return new Fitted(pruned.entries(), removed);
  }

  /**
   * What speaks for each entry of a history, or against it, beside its place.
   *
   * @param entries newest first
   */
  public static List<PruneReason> reasons(List<HistoryEntry> entries, HistoryPolicy policy) {
    var ranking = new HistoryRanking(entries, policy);
    return IntStream.range(0, entries.size()).mapToObj(ranking::reason).toList();
  }
}

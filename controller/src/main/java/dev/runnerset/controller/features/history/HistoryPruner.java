package dev.runnerset.controller.features.history;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.metrics.PruneReason;
import dev.runnerset.crds.HistoryEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

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

  /** A history that fits, and what was dropped for that, in the order of dropping. */
  public record Fitted(List<HistoryEntry> entries, List<Removed> removed) {
    /** Copies the lists. */
    public Fitted {
      entries = List.copyOf(entries);
      removed = List.copyOf(removed);
    }
  }

  /**
   * Drops the entry of the lowest rank until the list fits; each time all that are left are ranked
   * again.
   *
   * @param entries newest first, the one to be added among them
   */
  public static Fitted fit(List<HistoryEntry> entries, HistoryPolicy policy) {
    var left = new ArrayList<>(entries);
    var removed = new ArrayList<Removed>();
    while (left.size() > policy.maxEntries()) {
      var ranking = new HistoryRanking(left, policy);
      int index = ranking.lowest();
      var reason = ranking.reason(index);
      var rank = ranking.rank(index);
      removed.add(new Removed(left.remove(index), reason, index, rank));
    }
    return new Fitted(left, removed);
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

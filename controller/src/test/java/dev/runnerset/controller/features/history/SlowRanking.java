package dev.runnerset.controller.features.history;

import dev.runnerset.crds.HistoryEntry;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The formula of the document once more, as sets of indexes and decimal numbers, shares no line
 * with {@link HistoryRanking}: first the completed entries are cut into runs of one minor, then
 * every set is read off the runs.
 */
final class SlowRanking {
  private final List<HistoryEntry> list;
  private final Set<Integer> important = new HashSet<>();
  private final Set<Integer> firstOrLast = new HashSet<>();
  private final Set<Integer> transition = new HashSet<>();
  private final Set<Integer> zStream = new HashSet<>();

  SlowRanking(List<HistoryEntry> list) {
    this.list = list;
    var runs = runs();
    for (int i = 0; i < Math.min(5, list.size()); i++) {
      important.add(i);
    }
    important.add(list.size() - 1);
    if (!runs.isEmpty()) {
      important.add(runs.getFirst().getFirst());
    }
    for (var run : runs) {
      firstOrLast.add(run.getFirst());
      firstOrLast.add(run.getLast());
      partials(run.getFirst(), run.getLast(), zStream);
    }
    for (int i = 1; i < runs.size(); i++) {
      partials(runs.get(i - 1).getLast(), runs.get(i).getFirst(), transition);
    }
  }

  private List<List<Integer>> runs() {
    var runs = new ArrayList<List<Integer>>();
    var minorBefore = "none";
    for (int i = 0; i < list.size(); i++) {
      if (list.get(i).state() == HistoryEntry.State.COMPLETED) {
        var minor = minor(list.get(i));
        if (!minor.equals(minorBefore)) {
          runs.add(new ArrayList<>());
        }
        runs.getLast().add(i);
        minorBefore = minor;
      }
    }
    return runs;
  }

  private void partials(int from, int to, Set<Integer> into) {
    for (int i = from + 1; i < to; i++) {
      if (list.get(i).state() == HistoryEntry.State.PARTIAL) {
        into.add(i);
      }
    }
  }

  private static String minor(HistoryEntry entry) {
    if (entry.version().isEmpty()) {
      return "image " + entry.image();
    }
    var parts = Arrays.copyOf(entry.version().split("\\."), 2);
    return Integer.parseInt(parts[0]) + "." + Integer.parseInt(parts[1]);
  }

  BigDecimal rank(int index) {
    var rank = new BigDecimal(0);
    rank = important.contains(index) ? rank.add(BigDecimal.valueOf(1000)) : rank;
    rank = firstOrLast.contains(index) ? rank.add(BigDecimal.valueOf(30)) : rank;
    rank = transition.contains(index) ? rank.add(BigDecimal.valueOf(20)) : rank;
    rank = zStream.contains(index) ? rank.subtract(BigDecimal.valueOf(20)) : rank;
    return rank.subtract(new BigDecimal("1.01").multiply(BigDecimal.valueOf(index)));
  }

  /** What is left, the lowest dropped again and again. */
  static List<HistoryEntry> fit(List<HistoryEntry> list, int max) {
    var left = new ArrayList<>(list);
    while (left.size() > max) {
      var ranking = new SlowRanking(left);
      var ranks = IntStream.range(0, left.size()).mapToObj(ranking::rank).toList();
      left.remove(ranks.indexOf(Collections.min(ranks)));
    }
    return left;
  }
}

package dev.runnerset.controller.features.history;

import dev.runnerset.crds.HistoryEntry;
import dev.runnerset.crds.HistoryEntry.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Histories for tests; in words, newest first: {@code "C2.10.1 P2.10.2 C?img"}. */
final class Histories {
  static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");

  private Histories() {}

  /**
   * {@code C} or {@code P}, then a version, or {@code ?} and an image; before it how many of them,
   * as in {@code 5*C1.0.0}. Revisions are distinct.
   */
  static List<HistoryEntry> of(String words) {
    var entries = new ArrayList<HistoryEntry>();
    for (var each : words.isBlank() ? new String[0] : words.trim().split("\\s+")) {
      int star = each.indexOf('*');
      var word = each.substring(star + 1);
      var state = word.charAt(0) == 'C' ? State.COMPLETED : State.PARTIAL;
      boolean unknown = word.charAt(1) == '?';
      var rest = word.substring(unknown ? 2 : 1);
      int count = star < 0 ? 1 : Integer.parseInt(each.substring(0, star));
      for (int i = 0; i < count; i++) {
        entries.add(
            entry(state, unknown ? "" : rest, unknown ? rest : "r:" + rest, "r" + entries.size()));
      }
    }
    return entries;
  }

  static HistoryEntry entry(State state, String version, String image, String revision) {
    return new HistoryEntry(
        state, version, image, revision, T0, state == State.COMPLETED ? T0 : null, null);
  }

  /** So many of the same word. */
  static String times(int count, String word) {
    return (word + " ").repeat(Math.max(0, count));
  }

  /** A life of upgrades, failed attempts, rollbacks and unknown images; newest first. */
  static List<HistoryEntry> random(SplittableRandom random, int size) {
    var entries = new ArrayList<HistoryEntry>();
    int minor = random.nextInt(12);
    double partial = random.nextDouble();
    for (int i = 0; i < size; i++) {
      minor = Math.max(0, minor + random.nextInt(-1, 3) * (random.nextInt(4) == 0 ? 1 : 0));
      var version = random.nextInt(8) == 0 ? "" : "2." + minor + "." + random.nextInt(20);
      var image = version.isEmpty() ? "img" + random.nextInt(2) : "r:" + version;
      var state = random.nextDouble() < partial ? State.PARTIAL : State.COMPLETED;
      entries.addFirst(entry(state, version, image, "r" + i));
    }
    return entries;
  }
}

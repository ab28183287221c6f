package dev.runnerset.demo.history;

import dev.runnerset.controller.features.history.HistoryPolicy;
import dev.runnerset.controller.features.history.HistoryPruner;
import dev.runnerset.controller.features.history.RolloutHistory;
import dev.runnerset.controller.metrics.PruneReason;
import dev.runnerset.crds.HistoryEntry;
import dev.runnerset.crds.HistoryEntry.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * A long life of one set, and what its history keeps: releases every two weeks or so, a patch now
 * and then, attempts that never came up, a rollback, sometimes an image without a version.
 *
 * @param kept newest first
 */
record RolloutLife(int rollouts, List<Kept> kept, Map<PruneReason, Integer> droppedByReason) {
  private static final Instant BEGIN = Instant.parse("2021-01-01T00:00:00Z");
  private static final int FIRST_MINOR = 280;

  /** An entry that stayed; {@code number} counts from 1 in the order of life. */
  record Kept(int number, HistoryEntry entry, PruneReason reason) {}

  RolloutLife {
    kept = List.copyOf(kept);
  }

  static RolloutLife of(RandomGenerator random, int rollouts, HistoryPolicy policy) {
    var dropped = new EnumMap<PruneReason, Integer>(PruneReason.class);
    var entries = new ArrayList<HistoryEntry>();
    var at = BEGIN;
    int minor = FIRST_MINOR;
    int patch = 0;
    for (int number = 1; number <= rollouts; number++) {
      at = at.plus(Duration.ofHours(6 + random.nextInt(240)));
      switch (random.nextInt(10)) {
        case 0, 1 -> {
          minor++;
          patch = 0;
        }
        case 2, 3, 4 -> patch++;
        case 5 -> minor = Math.max(FIRST_MINOR, minor - 1);
        default -> {} // the same runner in another template
      }
      boolean unknown = random.nextInt(20) == 0;
      var version = unknown ? "" : "2." + minor + "." + patch;
      var image = unknown ? "registry.example/runner:nightly" : "runner:" + version;
      boolean failed = random.nextInt(4) == 0;
      entries.addFirst(
          new HistoryEntry(
              failed ? State.PARTIAL : State.COMPLETED,
              version,
              image,
              String.valueOf(number),
              at,
              at.plus(Duration.ofMinutes(10)),
              failed ? RolloutHistory.SUPERSEDED : null));
      var fitted = HistoryPruner.fit(entries, policy);
      fitted.removed().forEach(removed -> dropped.merge(removed.reason(), 1, Integer::sum));
      entries.clear();
      entries.addAll(fitted.entries());
    }
    var reasons = HistoryPruner.reasons(entries, policy);
    var kept = new ArrayList<Kept>();
    for (int i = 0; i < entries.size(); i++) {
      var entry = entries.get(i);
      kept.add(new Kept(Integer.parseInt(entry.revision()), entry, reasons.get(i)));
    }
    return new RolloutLife(rollouts, kept, dropped);
  }
}

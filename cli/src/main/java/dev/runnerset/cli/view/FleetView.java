package dev.runnerset.cli.view;

import dev.runnerset.base.Pure;
import java.util.Collection;
import java.util.function.ToIntFunction;

/** The counts of several sets together; {@code wrong} of them are not served, or have a problem. */
@Pure
public record FleetView(int sets, int wrong, int starting, int idle, int busy, int waiting) {
  /** The sums over those sets. */
  public static FleetView of(Collection<SetView> sets) {
    return new FleetView(
        sets.size(),
        sum(sets, set -> set.health().level().compareTo(SetHealth.Level.PROBLEM) <= 0 ? 1 : 0),
        sum(sets, set -> set.runners().pending()),
        sum(sets, set -> set.runners().idle()),
        sum(sets, set -> set.runners().busy()),
        sum(sets, set -> set.jobs().waiting()));
  }

  private static int sum(Collection<SetView> sets, ToIntFunction<SetView> count) {
    return sets.stream().mapToInt(count).sum();
  }

  /** In a line of at most 80 characters. */
  public String line() {
    return "sets %d, wrong %d | starting %d, idle %d, busy %d | jobs waiting %d"
        .formatted(sets, wrong, starting, idle, busy, waiting);
  }
}

package dev.runnerset.controller.ephemeralrunnerset;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which runners of a set this process saw, the last ones that went included, and when that changed
 * last. Thread-safe.
 */
final class RecentRunners {
  /** Longer than a registration outlives its resource, and than a listing of runners is old. */
  static final Duration KNOWN_FOR = Duration.ofMinutes(15);

  /** What went shortly before a count may be in that count: clocks differ, and calls take time. */
  private static final Duration AROUND = Duration.ofMinutes(1);

  /** Whether a runner may have a registration, by name. */
  private Map<String, Boolean> present = Map.of(); // guarded by this

  private final Map<String, Gone> goneByName = new HashMap<>(); // guarded by this
  private Instant changedAt = Instant.MIN; // guarded by this

  private record Gone(Instant at, boolean mayBeRegistered) {}

  /** There are these runners now; the value says whether one may have a registration. */
  synchronized void update(Map<String, Boolean> runners, Instant now) {
    if (changedAt.equals(Instant.MIN) || !present.equals(runners)) {
      changedAt = now;
    }
    present.forEach((name, registered) -> {
      if (!runners.containsKey(name)) {
        goneByName.put(name, new Gone(now, registered));
      }
    });
    goneByName.values().removeIf(gone -> gone.at().plus(KNOWN_FOR).isBefore(now));
    present = Map.copyOf(runners);
  }

  /** When a runner came or went last; the beginning of this process before. */
  synchronized Instant changedAt() {
    return changedAt;
  }

  /** How many registrations these runners explain that the service counted at that moment. */
  synchronized int expectedRegistrations(Instant at) {
    long now = present.values().stream().filter(may -> may).count();
    long before =
        goneByName.values().stream()
            .filter(gone -> gone.mayBeRegistered() && !gone.at().plus(AROUND).isBefore(at))
            .count();
    return (int) (now + before);
  }

  /** The names that are no left-overs: those of runners, and those of the last ones that went. */
  synchronized Set<String> names() {
    var names = new HashSet<>(present.keySet());
    names.addAll(goneByName.keySet());
    return names;
  }
}

package dev.runnerset.controller.audit;

import dev.runnerset.base.Pure;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which runners of a set this process saw, the last ones that went included. Immutable.
 *
 * @param present whether each may have a registration, by name
 * @param goneByName the last ones that went
 * @param changedAt when a runner came or went last; the first observation at the latest, {@link
 *     Instant#MIN} before that
 */
@Pure
record RecentRunners(
    Map<String, Boolean> present, Map<String, Gone> goneByName, Instant changedAt) {
  static final RecentRunners NONE = new RecentRunners(Map.of(), Map.of(), Instant.MIN);

  /** Longer than a registration outlives its resource, and than a listing of runners is old. */
  static final Duration KNOWN_FOR = Duration.ofMinutes(15);

  /** What went shortly before a count may be in that count: clocks differ, and calls take time. */
  private static final Duration AROUND = Duration.ofMinutes(1);

  RecentRunners {
    present = Map.copyOf(present);
    goneByName = Map.copyOf(goneByName);
  }

  /** A runner that went. */
  record Gone(Instant at, boolean mayBeRegistered) {
    boolean isForgotten(Instant now) {
      return at.plus(KNOWN_FOR).isBefore(now);
    }
  }

  /** There are these runners now; the value says whether one may have a registration. */
  RecentRunners next(Map<String, Boolean> runners, Instant now) {
    boolean changed = isUnknown() || !present.equals(runners);
    if (!changed && goneByName.values().stream().noneMatch(gone -> gone.isForgotten(now))) {
      return this;
    }
    var gone = new HashMap<>(goneByName);
    present.forEach((name, registered) -> {
      if (!runners.containsKey(name)) {
        gone.put(name, new Gone(now, registered));
      }
    });
    gone.values().removeIf(each -> each.isForgotten(now));
    return new RecentRunners(runners, gone, changed ? now : changedAt);
  }

  /** Whether no pass has seen the set yet. */
  boolean isUnknown() {
    return changedAt.equals(Instant.MIN);
  }

  /** How many registrations these runners explain that the service counted at that moment. */
  int expectedRegistrations(Instant at) {
    long now = present.values().stream().filter(may -> may).count();
    long before =
        goneByName.values().stream()
            .filter(gone -> gone.mayBeRegistered() && !gone.at().plus(AROUND).isBefore(at))
            .count();
    return (int) (now + before);
  }

  /** The names that are no left-overs: those of runners, and those of the last ones that went. */
  Set<String> names() {
    return Stream.of(present, goneByName)
        .flatMap(names -> names.keySet().stream())
        .collect(Collectors.toSet());
  }
}

package dev.runnerset.controller.retention;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Deletions that were asked for and may not be in the cache yet, by uid. Thread-safe. */
final class PendingDeletes {
  /** An event that never comes must not make a runner uncounted for ever. */
  static final Duration EXPECTED_WITHIN = Duration.ofMinutes(1);

  private final Map<String, Instant> untilByUid = new HashMap<>(); // guarded by this

  synchronized void asked(String uid, Instant now) {
    untilByUid.put(uid, now.plus(EXPECTED_WITHIN));
  }

  /** Those that still count. */
  synchronized Set<String> uids(Instant now) {
    untilByUid.values().removeIf(until -> !until.isAfter(now));
    return Set.copyOf(untilByUid.keySet());
  }
}

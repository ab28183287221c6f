package dev.runnerset.controller.retention;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The uids of runners whose deletion was requested or refused recently. Thread-safe. */
final class RecentDeletes {
  /** A lost event must not exclude a runner from counting for ever, nor a refusal protect it. */
  static final Duration RECENT = Duration.ofMinutes(1);

  private final Map<String, Instant> addedAtByUid = new HashMap<>(); // guarded by this

  synchronized void add(String uid, Instant now) {
    addedAtByUid.put(uid, now);
  }

  /** The recent uids; the clock may have been set back meanwhile. */
  synchronized Set<String> uids(Instant now) {
    addedAtByUid.values().removeIf(at -> Duration.between(at, now).abs().compareTo(RECENT) >= 0);
    return Set.copyOf(addedAtByUid.keySet());
  }
}

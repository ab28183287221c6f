package dev.runnerset.controller.retention;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Deletions that were asked for a short while ago, by uid. Thread-safe. */
final class RecentDeletes {
  /**
   * An event that never comes must not make a runner uncounted for ever, nor a refusal spare it.
   */
  static final Duration RECENT = Duration.ofMinutes(1);

  private final Map<String, Instant> askedAtByUid = new HashMap<>(); // guarded by this

  synchronized void asked(String uid, Instant now) {
    askedAtByUid.put(uid, now);
  }

  /** Those that are recent; the clock may have been set back meanwhile. */
  synchronized Set<String> uids(Instant now) {
    askedAtByUid.values().removeIf(at -> Duration.between(at, now).abs().compareTo(RECENT) >= 0);
    return Set.copyOf(askedAtByUid.keySet());
  }
}

package dev.runnerset.actions.http;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import okhttp3.Headers;
import org.jspecify.annotations.Nullable;

/**
 * When calls of GitHub's REST API that can wait are sent (protocol 5.3): few in a minute, and none
 * while little is left of the credential's limit, so that they never keep a connection from
 * registering. One of these for each connection. Thread-safe.
 */
final class SpareCalls {
  static final int MOST_A_MINUTE = 20;

  /** The part of the limit that is kept for other calls. */
  private static final int KEPT = 5;

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Clock clock;
  private final Deque<Instant> sent = new ArrayDeque<>(); // guarded by this
  private Instant heldUntil = Instant.MIN; // guarded by this

  SpareCalls(Clock clock) {
    this.clock = clock;
  }

  /** Takes a place for a call that is sent now; else returns when there is one. */
  synchronized @Nullable Instant take() {
    var now = clock.instant();
    if (heldUntil.isAfter(now)) {
      return heldUntil;
    }
    while (!sent.isEmpty() && !sent.getFirst().plus(MINUTE).isAfter(now)) {
      sent.removeFirst();
    }
    if (sent.size() >= MOST_A_MINUTE) {
      return sent.getFirst().plus(MINUTE);
    }
    sent.addLast(now);
    return null;
  }

  /** GitHub asked to wait. */
  synchronized void hold(Duration wait) {
    var until = clock.instant().plus(wait);
    heldUntil = until.isAfter(heldUntil) ? until : heldUntil;
  }

  /** Learns from the headers of any answer of the REST API what is left of the limit. */
  void answered(Headers headers) {
    long limit = number(headers.get("X-RateLimit-Limit"));
    long left = number(headers.get("X-RateLimit-Remaining"));
    if (limit > 0 && left >= 0 && left < limit / KEPT) {
      hold(RetryAfter.untilReset(headers.get("X-RateLimit-Reset"), clock));
    }
  }

  private static long number(@Nullable String header) {
    return header != null && header.strip().matches("\\d{1,9}")
        ? Long.parseLong(header.strip())
        : -1;
  }
}

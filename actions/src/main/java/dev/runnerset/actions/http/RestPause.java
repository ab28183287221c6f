package dev.runnerset.actions.http;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Until when a host asked this connection to send nothing (protocol 5.1). One call is told, and all
 * heed it. Thread-safe.
 */
final class RestPause {
  private final AtomicReference<Instant> until = new AtomicReference<>(Instant.EPOCH);

  /** The service asked for it; an earlier end than one that stands changes nothing. */
  void ask(Duration wait, Instant now) {
    var end = now.plus(wait);
    until.accumulateAndGet(end, (a, b) -> a.isAfter(b) ? a : b);
  }

  /** When calls may go out again, or null if now. */
  @Nullable Instant standing(Instant now) {
    var end = until.get();
    return end.isAfter(now) ? end : null;
  }
}

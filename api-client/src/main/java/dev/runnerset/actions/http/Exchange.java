package dev.runnerset.actions.http;

import java.time.Instant;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;

/**
 * One call to be made, with its retries.
 *
 * @param deadline of all its attempts together, or null
 */
record Exchange(
    Endpoint endpoint, Request request, CancelSignal signal, @Nullable Instant deadline) {
  /** An ordinary call, which only its own thread can end. */
  static Exchange of(Endpoint endpoint, Request request) {
    return new Exchange(endpoint, request, new CancelSignal(), null);
  }

  /** A copy with a deadline. */
  Exchange until(Instant end) {
    return new Exchange(endpoint, request, signal, end);
  }

  @Override
  public String toString() {
    return endpoint.label();
  }
}

package dev.runnerset.simulator.service;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The primary rate limit of the REST API: so many calls an hour for each credential (protocol
 * 3.18). Guarded by the {@link ServiceState}.
 */
final class RestLimit {
  static final int USUAL = 5_000;
  private static final Duration WINDOW = Duration.ofHours(1);

  private static final class Window {
    private final Instant ends;
    private int used;

    private Window(Instant ends) {
      this.ends = ends;
    }
  }

  private final Map<String, Window> byCaller = new HashMap<>();

  /** The answer with the headers of the limit; 304 costs nothing, any other answer costs one. */
  Reply answer(String caller, int perHour, Instant now, Supplier<Reply> body) {
    var window = byCaller.get(caller);
    if (window == null || !now.isBefore(window.ends)) {
      window = new Window(now.plus(WINDOW));
      byCaller.put(caller, window);
    }
    if (window.used >= perHour) {
      return headers(exceeded(403), perHour, 0, window.ends);
    }
    var reply = body.get();
    window.used += reply.status() == 304 ? 0 : 1;
    return headers(reply, perHour, perHour - window.used, window.ends);
  }

  /** A refusal by this limit, planned as a fault. */
  static Reply planned(int status, Instant resets) {
    return headers(exceeded(status), USUAL, 0, resets);
  }

  private static Reply exceeded(int status) {
    return Reply.rest(status, "API rate limit exceeded for this user or installation.");
  }

  private static Reply headers(Reply reply, int limit, int left, Instant resets) {
    return reply
        .withHeader("X-RateLimit-Limit", Integer.toString(limit))
        .withHeader("X-RateLimit-Remaining", Integer.toString(left))
        .withHeader("X-RateLimit-Used", Integer.toString(limit - left))
        .withHeader("X-RateLimit-Reset", Long.toString(resets.getEpochSecond()))
        .withHeader("X-RateLimit-Resource", "core");
  }
}

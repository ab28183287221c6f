package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.base.Backoff;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A pod as a live read showed it, while the cache does not: the cache may be behind, or somebody
 * took off the label by which it finds the pod. It stands in for the cache until the next read.
 *
 * @param looks live reads in a row
 * @param until when the pod is to be read again: 0.5 s, doubling to 60 s
 */
public record LivePodRead(PodView pod, int looks, Instant until) {
  private static final Backoff WAIT = Backoff.of(Duration.ofMillis(500), Duration.ofSeconds(60));

  public static LivePodRead after(@Nullable LivePodRead before, PodView pod, Instant now) {
    int earlier = before == null ? 0 : before.looks;
    return new LivePodRead(pod, earlier + 1, now.plus(WAIT.after(earlier + 1)));
  }

  public boolean stands(Instant now) {
    return now.isBefore(until);
  }
}

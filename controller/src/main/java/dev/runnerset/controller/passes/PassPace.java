package dev.runnerset.controller.passes;

import dev.runnerset.base.Detail;
import io.javaoperatorsdk.operator.processing.event.rate.RateLimiter;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The least time between the beginnings of two passes over one object: events that come meanwhile
 * share a pass (docs/adr/0101). The first event after a pause waits for nothing. The framework's
 * own limiter reads the wall clock, which may be set back.
 *
 * @param nanoTime a clock that no administrator sets, as {@link System#nanoTime}
 */
public record PassPace(LongSupplier nanoTime) implements RateLimiter<PassPace.LastPass> {
  /** The framework repeats what is too early after 50 ms at the earliest, so less has no effect. */
  @Detail static final Duration APART = Duration.ofMillis(50);

  /** When the last pass over an object began. Used by one thread at a time. */
  public static final class LastPass implements RateLimitState {
    private @Nullable Long begun;
  }

  @Override
  public LastPass initState() {
    return new LastPass();
  }

  /** Notes a pass that may begin now, and returns empty; else how long it must wait. */
  @Override
  public Optional<Duration> isLimited(RateLimitState state) {
    var last = (LastPass) state;
    long now = nanoTime.getAsLong();
    var wait = last.begun == null ? Duration.ZERO : APART.minusNanos(now - last.begun);
    if (wait.isPositive()) {
      return Optional.of(wait);
    }
    last.begun = now;
    return Optional.empty();
  }
}

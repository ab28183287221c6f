package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import dev.runnerset.base.RequeueTime;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The instant of a decision. It remembers with which later instants it was compared: at the first
 * of them the decision may be another one without an event. So nothing that depends on time alone
 * has to say when it changes. Not thread-safe.
 */
@Pure
public final class Now {
  private final Instant instant;
  private RequeueTime next = RequeueTime.NEVER;

  public Now(Instant instant) {
    this.instant = instant;
  }

  public Instant instant() {
    return instant;
  }

  /** Whether that instant has come; null never comes. */
  public boolean hasReached(@Nullable Instant at) {
    if (at == null || !at.isAfter(instant)) {
      return at != null;
    }
    next = next.or(at);
    return false;
  }

  /** Whether that instant is still to come; null never is. */
  public boolean isBefore(@Nullable Instant at) {
    return at != null && !hasReached(at);
  }

  /** Whether so much time has passed since then; false for null. */
  public boolean isPast(@Nullable Instant since, Duration time) {
    return since != null && hasReached(since.plus(time));
  }

  /** The decision may be another one then, too; a past instant does not matter. */
  public void note(RequeueTime at) {
    isBefore(at.at());
  }

  /** The first of the instants that are to come; never if it was compared with none. */
  public RequeueTime next() {
    return next;
  }
}

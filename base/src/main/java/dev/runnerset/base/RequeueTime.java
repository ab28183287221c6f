package dev.runnerset.base;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * When an object must be reconciled again at the latest, even if no event comes: at an instant, or
 * never. Immutable.
 *
 * @param at the instant; null for never
 */
public record RequeueTime(@Nullable Instant at) {
  /** Only an event brings the next reconciliation. */
  public static final RequeueTime NEVER = new RequeueTime(null);

  /** At that instant at the latest; null for never. */
  public static RequeueTime at(@Nullable Instant at) {
    return at == null ? NEVER : new RequeueTime(at);
  }

  /** At that instant at the latest; {@link #NEVER} if the instant is absent. */
  public static RequeueTime at(Optional<Instant> at) {
    return at(at.orElse(null));
  }

  /** The earliest of the times; {@link #NEVER} of none. */
  public static RequeueTime earliest(Stream<RequeueTime> times) {
    return times.reduce(NEVER, RequeueTime::or);
  }

  /** The first of the instants that is later than now; {@link #NEVER} if no instant is. */
  public static RequeueTime firstAfter(Instant now, Stream<Instant> instants) {
    return at(instants.filter(now::isBefore).min(Comparator.naturalOrder()));
  }

  /** The earlier of two instants. */
  public static Instant earlier(Instant one, Instant other) {
    return other.isBefore(one) ? other : one;
  }

  /** The earlier of the two. */
  public RequeueTime or(RequeueTime other) {
    return or(other.at);
  }

  /** The earlier of this and that instant; null stands for never. */
  public RequeueTime or(@Nullable Instant other) {
    return other == null || (at != null && !other.isBefore(at)) ? this : new RequeueTime(other);
  }

  /** Whether no instant is set. */
  public boolean isNever() {
    return at == null;
  }

  /** The instant, if there is one. */
  public Optional<Instant> toOptional() {
    return Optional.ofNullable(at);
  }
}

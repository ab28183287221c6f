package dev.runnerset.actions.http;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The admin connection of one scope, made on first use and renewed before it runs out, once for all
 * waiting callers (protocol 1.6, protocol 3.14). Callers whose connection is good never wait.
 * Thread-safe.
 */
final class AdminConnections {
  /** A connection with less left than this is renewed (protocol 1.6). */
  static final Duration MARGIN = Duration.ofSeconds(60);

  /** A refused token is replaced no more often than this. */
  static final Duration REPLACE_AT_MOST_EVERY = Duration.ofSeconds(30);

  /** A connection is doubted no more often than this. */
  static final Duration DOUBT_AT_MOST_EVERY = Duration.ofMinutes(1);

  /**
   * How long a refused renewal is not asked for again: a thousand sets may have these credentials.
   */
  static final Duration REFUSED_FOR = Duration.ofSeconds(5);

  private final Renewed<AdminConnection> connection;
  private final Clock clock;
  private @Nullable Replacement replacement; // guarded by this
  private @Nullable AdminConnection doubted; // guarded by this
  private Instant doubtedAt = Instant.EPOCH; // guarded by this
  private @Nullable ServiceException refusal; // guarded by this
  private Instant refusedUntil = Instant.EPOCH; // guarded by this

  private record Replacement(
      AdminConnection refused, Instant at, CompletableFuture<AdminConnection> next) {}

  /** Connects lazily. */
  AdminConnections(RegistrationApi api, BearerSource bearers, Clock clock) {
    this.clock = clock;
    this.connection =
        new Renewed<>(null, () -> api.register(api.registrationToken(bearers.bearer())));
  }

  /**
   * A connection with at least 60 s left, if the service gives such connections. Blocks only for a
   * renewal; interruptible.
   *
   * @throws ServiceException if the renewal failed, or lasts beyond the deadline; the old
   *     connection is kept
   */
  AdminConnection current(Instant deadline) {
    var held = connection.value();
    if (held != null && isFresh(held) && !isDoubted(held)) {
      return held;
    }
    var refused = standingRefusal();
    if (refused != null) {
      throw Renewed.rethrown(refused);
    }
    return ended(connection.unless(other -> isFresh(other) && !isDoubted(other)), deadline);
  }

  private synchronized @Nullable ServiceException standingRefusal() {
    return clock.instant().isBefore(refusedUntil) ? refusal : null;
  }

  /** Only what other credentials or another URL can change stands for a while. */
  private synchronized void noteRefusal(ServiceException failed) {
    if (failed.error() instanceof ServiceError.Unauthorized
        || failed.error() instanceof ServiceError.Forbidden
        || failed.error() instanceof ServiceError.NotFound) {
      refusal = failed;
      refusedUntil = clock.instant().plus(REFUSED_FOR);
    }
  }

  /** What answers at the URL may no longer be the service: the next call asks for its URL again. */
  synchronized void doubt(AdminConnection held) {
    var now = clock.instant();
    if (!now.isBefore(doubtedAt.plus(DOUBT_AT_MOST_EVERY))) {
      doubted = held;
      doubtedAt = now;
    }
  }

  private synchronized boolean isDoubted(AdminConnection held) {
    return held == doubted;
  }

  /**
   * Replaces a connection that the service refused, once for all callers. Empty if a replacement
   * was made a short while ago and is refused as well. Blocks and throws as {@link #current} does.
   */
  Optional<AdminConnection> insteadOf(AdminConnection refused, Instant deadline) {
    var next = replacing(refused);
    return next == null ? Optional.empty() : Optional.of(ended(next, deadline));
  }

  private synchronized @Nullable CompletableFuture<AdminConnection> replacing(
      AdminConnection refused) {
    var held = connection.value();
    if (held != null && held != refused) {
      return CompletableFuture.completedFuture(held); // somebody else was quicker
    }
    var now = clock.instant();
    if (replacement != null && now.isBefore(replacement.at().plus(REPLACE_AT_MOST_EVERY))) {
      return replacement.refused() == refused ? replacement.next() : null;
    }
    replacement = new Replacement(refused, now, connection.unless(other -> other != refused));
    return replacement.next();
  }

  private AdminConnection ended(CompletableFuture<AdminConnection> renewal, Instant deadline) {
    try {
      var left = Duration.between(clock.instant(), deadline);
      return Renewed.ended(renewal, left, "the connection");
    } catch (ServiceException e) {
      noteRefusal(e);
      throw e;
    }
  }

  private boolean isFresh(AdminConnection candidate) {
    return !clock.instant().plus(MARGIN).isAfter(candidate.expiresAt());
  }
}

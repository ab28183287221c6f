package dev.runnerset.service.auth;

import dev.runnerset.service.Credentials;
import dev.runnerset.service.ServiceError;
import dev.runnerset.service.ServiceException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The admin connection of one scope, made on first use and renewed before it runs out, once for all
 * waiting callers (protocol 1.6, 3.14). Callers whose connection is good never wait. Thread-safe.
 */
public final class AdminConnections {
  /** A connection with less left than this is renewed (protocol 1.6). */
  static final Duration MARGIN = Duration.ofSeconds(60);

  private final Renewed<AdminConnection> connection;
  private final Clock clock;

  /**
   * Connects lazily.
   *
   * @throws IllegalArgumentException if the credentials cannot be right, with a sentence for the
   *     user and nothing secret
   */
  public AdminConnections(RegistrationApi api, Credentials credentials, Clock clock) {
    this.clock = clock;
    var bearer = BearerSource.of(api, credentials, clock);
    this.connection =
        new Renewed<>(null, () -> api.register(api.registrationToken(bearer.bearer())));
  }

  /**
   * A connection with at least 60 s left, as far as the service gives such. Blocks only when it has
   * to be renewed; interruptible.
   *
   * @throws ServiceException if the renewal failed; the old connection is kept
   */
  public AdminConnection current() {
    var renewal = connection.unless(this::isFresh);
    try {
      return renewal.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServiceException(
          new ServiceError.Cancelled(
              new ServiceError.Details("renewal of the connection", 0, "", "interrupted", "", "")));
    } catch (ExecutionException e) {
      throw rethrown(e.getCause());
    }
  }

  private boolean isFresh(AdminConnection candidate) {
    return !clock.instant().plus(MARGIN).isAfter(candidate.expiresAt());
  }

  private static RuntimeException rethrown(@Nullable Throwable cause) {
    return cause instanceof ServiceException failed
        ? new ServiceException(failed.error(), failed)
        : new IllegalStateException("renewal of the connection broke", cause);
  }
}

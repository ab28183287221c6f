package dev.runnerset.connection;

import dev.runnerset.actions.http.ServiceSettings;
import dev.runnerset.actions.http.SharedConnections;
import dev.runnerset.actions.http.UserAgent;
import dev.runnerset.crds.condition.AccessReason;
import java.time.Clock;
import java.util.function.UnaryOperator;

/** Connections over HTTP. Equal settings share a registration and an HTTP client. Thread-safe. */
public final class HttpServiceConnector {
  private HttpServiceConnector() {}

  /**
   * Sends nothing.
   *
   * @param rules adds the program's own times, limits and retry rules; what it makes of equal
   *     settings must be equal, or they share nothing
   */
  public static ServiceConnector of(
      UserAgent userAgent, UnaryOperator<ServiceSettings> rules, Clock clock) {
    var shared = new SharedConnections();
    return settings -> {
      var http =
          ServiceSettings.of(settings.url(), settings.credentials(), userAgent, clock)
              .withRoute(settings.route());
      try {
        return shared.connect(rules.apply(http));
      } catch (IllegalArgumentException e) {
        throw new InvalidConnectionException(
            AccessReason.INVALID_CONNECTION, String.valueOf(e.getMessage()));
      }
    };
  }
}

package dev.runnerset.controller.main;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.http.CallLimits;
import dev.runnerset.actions.http.ProxySetting;
import dev.runnerset.actions.http.RetryRules;
import dev.runnerset.actions.http.ServiceSettings;
import dev.runnerset.actions.http.SharedConnections;
import dev.runnerset.actions.http.TrustedAuthorities;
import dev.runnerset.actions.http.UserAgent;
import dev.runnerset.controller.connection.ConnectionSettings;
import dev.runnerset.controller.connection.ServiceConnector;
import java.time.Clock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Connections over HTTP. */
public final class HttpServiceConnector implements ServiceConnector {
  private final UserAgent userAgent;
  private final SharedConnections shared = new SharedConnections();
  private final int callsAtOnce;
  private final BooleanSupplier maySend; // one object: equal settings share a connection
  private final Clock clock;

  /**
   * Connections that tell the service that version of ours.
   *
   * @param callsAtOnce how many threads one service may hold at most
   * @param maySend asked before each call that changes something at the service
   */
  public HttpServiceConnector(
      String version, int callsAtOnce, BooleanSupplier maySend, Clock clock) {
    this.userAgent = UserAgent.of(version, "controller");
    this.callsAtOnce = callsAtOnce;
    this.maySend = maySend;
    this.clock = clock;
  }

  @Override
  public ActionsService connect(ConnectionSettings settings) {
    var http =
        ServiceSettings.of(settings.url(), settings.credentials(), userAgent, clock)
            .withRetry(RetryRules.ONCE) // the reconciler comes back by itself
            .withLimits(CallLimits.atMost(callsAtOnce))
            .withMaySend(maySend)
            .withProxy(proxy(settings.proxies()));
    return shared.connect(
        settings.authoritiesPem().isEmpty()
            ? http
            : http.withTrustedAuthorities(TrustedAuthorities.fromPem(settings.authoritiesPem())));
  }

  private static @Nullable ProxySetting proxy(ConnectionSettings.@Nullable Proxies proxies) {
    return proxies == null
        ? null
        : new ProxySetting(server(proxies.http()), server(proxies.https()), proxies.noProxy());
  }

  private static ProxySetting.@Nullable Server server(ConnectionSettings.@Nullable Proxy proxy) {
    return proxy == null
        ? null
        : new ProxySetting.Server(proxy.url(), proxy.user(), proxy.password());
  }
}

package dev.runnerset.listener.main;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.http.ProxySetting;
import dev.runnerset.actions.http.ServiceSettings;
import dev.runnerset.actions.http.SharedConnections;
import dev.runnerset.actions.http.Timeouts;
import dev.runnerset.actions.http.TrustedAuthorities;
import dev.runnerset.actions.http.UserAgent;
import dev.runnerset.listener.session.ServiceAccess;
import dev.runnerset.listener.session.ServiceConnector;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Connections to the service over HTTP. */
public final class HttpConnector implements ServiceConnector {
  private static final Duration SILENCE_MARGIN = Duration.ofSeconds(15);

  private final SharedConnections shared = new SharedConnections();
  private final Duration poll;
  private final BooleanSupplier maySend; // one object: equal settings share a connection
  private final Clock clock;

  /**
   * Sends nothing.
   *
   * @param poll how long the service holds a poll open
   * @param maySend asked before each call that changes something at the service
   */
  public HttpConnector(Duration poll, BooleanSupplier maySend, Clock clock) {
    this.poll = poll;
    this.maySend = maySend;
    this.clock = clock;
  }

  @Override
  public ActionsService connect(ServiceAccess access) {
    var userAgent = UserAgent.of(version(), "listener");
    var settings =
        ServiceSettings.of(access.url(), access.credentials(), userAgent, clock)
            .withProxy(proxies(access))
            .withMaySend(maySend)
            .withTimeouts(
                new Timeouts(
                    Timeouts.DEFAULT.connect(),
                    Timeouts.DEFAULT.call(),
                    Timeouts.DEFAULT.whole(),
                    poll.plus(SILENCE_MARGIN),
                    poll.multipliedBy(2)))
            .withTrustedAuthorities(
                access.certificates() == null
                    ? List.of()
                    : TrustedAuthorities.fromPem(access.certificates()));
    return shared.connect(settings);
  }

  private static @Nullable ProxySetting proxies(ServiceAccess access) {
    return access.http() == null && access.https() == null
        ? null
        : new ProxySetting(server(access.http()), server(access.https()), access.noProxy());
  }

  private static ProxySetting.@Nullable Server server(ServiceAccess.@Nullable Proxy proxy) {
    if (proxy == null) {
      return null;
    }
    return new ProxySetting.Server(
        URI.create(proxy.url()),
        proxy.user() == null ? "" : proxy.user(),
        proxy.password() == null ? "" : proxy.password());
  }

  static String version() {
    var version = HttpConnector.class.getPackage().getImplementationVersion();
    return version == null ? "dev" : version;
  }
}

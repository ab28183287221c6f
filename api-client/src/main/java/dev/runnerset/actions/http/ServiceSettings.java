package dev.runnerset.actions.http;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.Credentials;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * All that a connection to the service depends on: {@code of(url, credentials).connect()}. Equal
 * settings may share a connection; see {@link SharedConnections} for more than one.
 */
public record ServiceSettings(
    ConfigUrl url,
    Credentials credentials,
    UserAgent userAgent,
    Route route,
    CallRules calls,
    Clock clock) {
  /** A direct way, the system's authorities and clock, the name of this library, the defaults. */
  public static ServiceSettings of(ConfigUrl url, Credentials credentials) {
    return of(url, credentials, UserAgent.LIBRARY, Clock.systemUTC());
  }

  /** A direct way, the system's authorities, and the defaults. */
  public static ServiceSettings of(
      ConfigUrl url, Credentials credentials, UserAgent userAgent, Clock clock) {
    return new ServiceSettings(url, credentials, userAgent, Route.DIRECT, CallRules.DEFAULT, clock);
  }

  /**
   * A connection that shares nothing with others; nothing is sent before its first call.
   *
   * @throws IllegalArgumentException as {@link SharedConnections#connect}
   */
  public ActionsService connect() {
    return new SharedConnections().connect(this);
  }

  /** By what its HTTP clients differ from others. */
  HttpClients.Kind kind() {
    return HttpClients.Kind.of(url, calls.timeouts(), route);
  }

  /** A copy for a program of that name. */
  public ServiceSettings withUserAgent(UserAgent other) {
    return new ServiceSettings(url, credentials, other, route, calls, clock);
  }

  /** A copy with another way through the network. */
  public ServiceSettings withRoute(Route other) {
    return new ServiceSettings(url, credentials, userAgent, other, calls, clock);
  }

  /** A copy with a proxy, or without one if null. */
  public ServiceSettings withProxy(@Nullable ProxySetting proxy) {
    return withRoute(new Route(proxy, route.trustedAuthorities(), route.allowed()));
  }

  /** A copy that trusts these authorities besides the system's. */
  public ServiceSettings withTrustedAuthorities(List<X509Certificate> authorities) {
    return withRoute(new Route(route.proxy(), authorities, route.allowed()));
  }

  /** A copy that may ask these hosts, too. */
  public ServiceSettings withAllowedHosts(AllowedHosts hosts) {
    return withRoute(new Route(route.proxy(), route.trustedAuthorities(), hosts));
  }

  /** A copy with other timeouts. */
  public ServiceSettings withTimeouts(Timeouts timeouts) {
    return with(
        new CallRules(timeouts, calls.retry(), calls.limits(), calls.random(), calls.maySend()));
  }

  /** A copy with other retry rules. */
  public ServiceSettings withRetry(RetryRules retry) {
    return with(
        new CallRules(calls.timeouts(), retry, calls.limits(), calls.random(), calls.maySend()));
  }

  /** A copy with other limits. */
  public ServiceSettings withLimits(CallLimits limits) {
    return with(
        new CallRules(calls.timeouts(), calls.retry(), limits, calls.random(), calls.maySend()));
  }

  /** A copy with another source of jitter. */
  public ServiceSettings withRandom(RandomGenerator random) {
    return with(
        new CallRules(calls.timeouts(), calls.retry(), calls.limits(), random, calls.maySend()));
  }

  /** A copy that asks {@code maySend} before each call that changes something. */
  public ServiceSettings withMaySend(BooleanSupplier maySend) {
    return with(
        new CallRules(calls.timeouts(), calls.retry(), calls.limits(), calls.random(), maySend));
  }

  private ServiceSettings with(CallRules others) {
    return new ServiceSettings(url, credentials, userAgent, route, others, clock);
  }
}

package dev.runnerset.actions.http;

import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.Credentials;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * All that a connection to the service depends on.
 *
 * @param proxy null for a direct way
 * @param trustedAuthorities besides those of the system; {@link TrustedAuthorities} reads them
 * @param limits how much of the caller the connection may hold
 * @param random for the jitter between attempts; thread-safe
 */
public record ServiceSettings(
    ConfigUrl url,
    Credentials credentials,
    UserAgent userAgent,
    @Nullable ProxySetting proxy,
    List<X509Certificate> trustedAuthorities,
    Timeouts timeouts,
    RetryRules retry,
    CallLimits limits,
    Clock clock,
    RandomGenerator random) {
  /** Each thread's own; one constant, so that equal settings are equal. */
  private static final RandomGenerator CHANCE = () -> ThreadLocalRandom.current().nextLong();

  /** Copies the list. */
  public ServiceSettings {
    trustedAuthorities = List.copyOf(trustedAuthorities);
  }

  /** A direct way, the system's authorities, and the defaults. */
  public static ServiceSettings of(
      ConfigUrl url, Credentials credentials, UserAgent userAgent, Clock clock) {
    return new ServiceSettings(
        url,
        credentials,
        userAgent,
        null,
        List.of(),
        Timeouts.DEFAULT,
        RetryRules.DEFAULT,
        CallLimits.NONE,
        clock,
        CHANCE);
  }

  /** The same by way of a proxy. */
  public ServiceSettings withProxy(@Nullable ProxySetting other) {
    return new ServiceSettings(
        url,
        credentials,
        userAgent,
        other,
        trustedAuthorities,
        timeouts,
        retry,
        limits,
        clock,
        random);
  }

  /** The same with more authorities. */
  public ServiceSettings withTrustedAuthorities(List<X509Certificate> others) {
    return new ServiceSettings(
        url, credentials, userAgent, proxy, others, timeouts, retry, limits, clock, random);
  }

  /** The same with other times. */
  public ServiceSettings withTimeouts(Timeouts others) {
    return new ServiceSettings(
        url,
        credentials,
        userAgent,
        proxy,
        trustedAuthorities,
        others,
        retry,
        limits,
        clock,
        random);
  }

  /** The same with other retry rules. */
  public ServiceSettings withRetry(RetryRules others) {
    return new ServiceSettings(
        url,
        credentials,
        userAgent,
        proxy,
        trustedAuthorities,
        timeouts,
        others,
        limits,
        clock,
        random);
  }

  /** The same with other limits. */
  public ServiceSettings withLimits(CallLimits others) {
    return new ServiceSettings(
        url,
        credentials,
        userAgent,
        proxy,
        trustedAuthorities,
        timeouts,
        retry,
        others,
        clock,
        random);
  }

  /** The same with other chances. */
  public ServiceSettings withRandom(RandomGenerator other) {
    return new ServiceSettings(
        url,
        credentials,
        userAgent,
        proxy,
        trustedAuthorities,
        timeouts,
        retry,
        limits,
        clock,
        other);
  }
}

package dev.runnerset.actions.http;

import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way through the network.
 *
 * @param proxy null for a direct way
 * @param trustedAuthorities besides those of the system; {@link TrustedAuthorities} reads them
 * @param allowed the hosts that the installation lists; the program adds them
 */
public record Route(
    @Nullable ProxySetting proxy, List<X509Certificate> trustedAuthorities, AllowedHosts allowed) {
  /** No proxy, the system's authorities, and no host that is listed. */
  public static final Route DIRECT = new Route(null, List.of());

  /** What a set names: no host is listed. */
  public Route(@Nullable ProxySetting proxy, List<X509Certificate> trustedAuthorities) {
    this(proxy, trustedAuthorities, AllowedHosts.NONE);
  }

  /** Copies the list. */
  public Route {
    trustedAuthorities = List.copyOf(trustedAuthorities);
  }
}

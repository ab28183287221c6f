package dev.runnerset.actions.http;

import dev.runnerset.actions.ConfigUrl;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The proxies between us and the service (protocol 6), by the scheme of the URL asked for.
 *
 * @param noProxy hosts that are reached directly: {@code *}, a domain with its subdomains, {@code
 *     .domain} for its subdomains only, an address, a CIDR block; each but {@code *} and blocks may
 *     end in {@code :port}
 * @param trusted whether the program's own environment names them, and not who makes a set: they
 *     may have private addresses
 */
public record ProxySetting(
    @Nullable Server http, @Nullable Server https, List<String> noProxy, boolean trusted) {
  /** Copies the list. */
  public ProxySetting {
    noProxy = List.copyOf(noProxy);
  }

  /** Whether one of the proxies is there. */
  boolean isServer(String host, int port) {
    return isAt(http, host, port) || isAt(https, host, port);
  }

  private static boolean isAt(@Nullable Server server, String host, int port) {
    return server != null
        && AllowedHosts.entry(server.url().getHost(), server.port())
            .equals(AllowedHosts.entry(host, port));
  }

  /**
   * One proxy, spoken to in plain HTTP. Its password is never printed.
   *
   * @param url {@code http://host:port}, without user information
   * @param user empty for none
   */
  public record Server(URI url, String user, String password) {
    /** Rejects what cannot be a proxy. */
    public Server {
      if (!"http".equalsIgnoreCase(url.getScheme()) || url.getHost() == null) {
        throw new IllegalArgumentException("a proxy URL must be of the form http://host:port");
      }
      if (!ConfigUrl.isPossiblePort(url.getRawAuthority())) {
        throw new IllegalArgumentException("the port of a proxy must be one of 1 to 65535");
      }
      if (url.getUserInfo() != null) {
        throw new IllegalArgumentException(
            "a proxy URL must not carry credentials: put them into the secret");
      }
    }

    /** A proxy that asks for no credentials. */
    public static Server open(URI url) {
      return new Server(url, "", "");
    }

    int port() {
      return url.getPort() < 0 ? 80 : url.getPort();
    }

    @Override
    public String toString() {
      return url.getHost() + ":" + port();
    }
  }
}

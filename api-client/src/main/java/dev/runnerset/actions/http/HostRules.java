package dev.runnerset.actions.http;

import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.http.ServiceSettings.Route;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.util.Set;
import okhttp3.HttpUrl;

/**
 * Which hosts a connection may ask (CN6). Its config URL is of somebody who may make a set, and so
 * may be what answers there; the network of the programs is not for him.
 */
final class HostRules {
  private final ConfigUrl config;
  private final Route route;

  HostRules(ConfigUrl config, Route route) {
    this.config = config;
    this.route = route;
  }

  /** A host that may not be asked. The message says what to change, and quotes no answer. */
  static final class RefusedException extends ProtocolException { // which OkHttp does not repeat
    private static final long serialVersionUID = 1L;

    private RefusedException(String message) {
      super(message);
    }
  }

  /**
   * Whether a request may go to that URL, whoever named it.
   *
   * @throws RefusedException if not
   */
  void check(HttpUrl url) throws RefusedException {
    var host = url.host();
    boolean listed = route.allowed().list(host, url.port());
    if (!listed && !isOwn(host) && !isGitHubs(host)) {
      throw unlisted(
          "the service leads to %s, which is neither the host of githubConfigUrl nor GitHub's",
          url.host(), url.port());
    }
    if (!listed && !url.isHttps()) {
      throw unlisted("%s is to be asked by plain http: write https", host, url.port());
    }
    var proxy = route.proxy();
    if (proxy == null || !ProxyChoice.isUsed(proxy, url.uri())) {
      return; // its address is checked when it is connected to
    }
    if (NoProxy.literal(host) != null) {
      throw new RefusedException(
          AllowedHosts.entry(host, url.port())
              + " is an address, and a proxy is asked for names only: write the name of the host,"
              + " or list the address in noProxy");
    }
    if (!listed && !isGitHubs(host)) {
      throw unlisted(
          "%s is neither GitHub's nor listed, and a proxy is asked for no other host",
          host, url.port());
    }
  }

  private boolean isOwn(String host) {
    var own = HttpUrl.parse(config.uri().toString());
    return (own != null && host.equals(own.host()))
        || host.equals(HttpUrl.get(config.apiBase()).host());
  }

  private static boolean isGitHubs(String host) {
    return Set.of("github.com", "www.github.com", "api.github.com").contains(host)
        || host.endsWith(".ghe.com")
        || host.endsWith(".actions.githubusercontent.com");
  }

  /**
   * Whether a connection may be made to that address, which is the one that the name has just now.
   *
   * @throws RefusedException if not
   */
  static void checkAddress(Route route, InetSocketAddress to) throws RefusedException {
    var address = to.getAddress();
    if (address == null || !AllowedHosts.isPrivate(address)) {
      return;
    }
    var host = to.getHostString();
    var proxy = route.proxy();
    if (route.allowed().list(host, to.getPort())
        || (proxy != null && proxy.trusted() && proxy.isServer(host, to.getPort()))) {
      return;
    }
    // without the address: who may make a set need not learn it
    throw unlisted("%s has a private address", host, to.getPort());
  }

  /**
   * Whether a redirect stays at the scheme, the host and the port.
   *
   * @throws RefusedException if not
   */
  static void checkRedirect(HttpUrl from, HttpUrl to) throws RefusedException {
    if (!from.scheme().equals(to.scheme())
        || !from.host().equals(to.host())
        || from.port() != to.port()) {
      throw new RefusedException(
          "it redirects to %s://%s, and only a redirect to the same scheme, host and port is followed"
              .formatted(to.scheme(), AllowedHosts.entry(to.host(), to.port())));
    }
  }

  private static RefusedException unlisted(String why, String host, int port) {
    var entry = AllowedHosts.entry(host, port);
    return new RefusedException(
        why.formatted(entry)
            + "; if it may be asked, the operator adds "
            + entry
            + " to allowedHosts of the chart (--allowed-hosts of controller and listener)");
  }
}

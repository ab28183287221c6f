package dev.runnerset.actions.http;

import dev.runnerset.actions.ConfigUrl;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.util.Set;
import java.util.TreeSet;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

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
  static class RefusedException extends ProtocolException { // which OkHttp does not repeat
    private static final long serialVersionUID = 1L;

    private RefusedException(String message) {
      super(message);
    }
  }

  /** The host itself leads from http to https. */
  static final class HttpsNeededException extends RefusedException {
    private static final long serialVersionUID = 1L;

    private HttpsNeededException(String host) {
      super(host + " leads to https: write https in the URL");
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
    var proxy = route.proxy();
    boolean proxied = proxy != null && ProxyChoice.isUsed(proxy, url.uri());
    if (!listed && !isOwn(host) && !isGitHubs(host)) {
      throw unlisted(
          "the service leads to %s, which is neither the host of githubConfigUrl nor GitHub's",
          url, proxied);
    }
    if (!listed && !url.isHttps()) {
      throw unlisted("%s is to be asked by plain http: write https", url, proxied);
    }
    if (!proxied) {
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
          "%s is neither GitHub's nor listed, and a proxy is asked for no other host", url, true);
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
    throw unlisted(route, "%s has a private address", AllowedHosts.entry(host, to.getPort()), null);
  }

  /**
   * Whether a redirect stays at the scheme, the host and the port.
   *
   * @throws RefusedException if not
   */
  static void checkRedirect(HttpUrl from, HttpUrl to) throws RefusedException {
    if (!from.isHttps() && to.isHttps() && from.host().equals(to.host())) {
      throw new HttpsNeededException(AllowedHosts.entry(from.host(), from.port()));
    }
    if (!from.scheme().equals(to.scheme())
        || !from.host().equals(to.host())
        || from.port() != to.port()) {
      throw new RefusedException(
          "it redirects to %s://%s, and only a redirect to the same scheme, host and port is followed"
              .formatted(to.scheme(), AllowedHosts.entry(to.host(), to.port())));
    }
  }

  /** Names the proxy, too, if it may be private, so that one command lists both. */
  private RefusedException unlisted(String why, HttpUrl url, boolean proxied) {
    var entry = AllowedHosts.entry(url.host(), url.port());
    return unlisted(route, why, entry, proxied ? unlistedProxy(url) : null);
  }

  private @Nullable String unlistedProxy(HttpUrl url) {
    var proxy = route.proxy();
    var server = proxy == null ? null : url.isHttps() ? proxy.https() : proxy.http();
    if (proxy == null || server == null || proxy.trusted()) {
      return null;
    }
    var host = server.url().getHost();
    return route.allowed().list(host, server.port())
        ? null
        : AllowedHosts.entry(host, server.port());
  }

  private static RefusedException unlisted(
      Route route, String why, String entry, @Nullable String proxy) {
    var all = new TreeSet<>(route.allowed().entries());
    all.add(entry);
    if (proxy != null) {
      all.add(proxy);
    }
    return new RefusedException(
        why.formatted(entry)
            + "; if it may be asked, the operator adds "
            + entry
            + (proxy == null
                ? " to allowedHosts of the chart"
                : " and, if the proxy has a private address, "
                    + proxy
                    + " to allowedHosts of the chart")
            + ": --set 'allowedHosts={"
            + String.join(",", all)
            + "}' (--allowed-hosts of controller and listener)");
  }
}

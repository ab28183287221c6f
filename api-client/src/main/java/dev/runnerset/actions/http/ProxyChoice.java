package dev.runnerset.actions.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import okhttp3.Authenticator;
import okhttp3.Credentials;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.Route;
import org.jspecify.annotations.Nullable;

/** Chooses the proxy for a URL by a setting, and knows its credentials. */
final class ProxyChoice extends ProxySelector implements Authenticator {
  private final ProxySetting setting;

  private ProxyChoice(ProxySetting setting) {
    this.setting = setting;
  }

  /** Sends by way of the setting; directly if it is null, whatever the JVM's properties say. */
  static void apply(OkHttpClient.Builder client, @Nullable ProxySetting setting) {
    if (setting == null) {
      client.proxy(Proxy.NO_PROXY);
      return;
    }
    var choice = new ProxyChoice(setting);
    client.proxySelector(choice).proxyAuthenticator(choice);
  }

  /** Whether the setting sends that URL by way of a proxy. */
  static boolean isUsed(ProxySetting setting, URI uri) {
    return new ProxyChoice(setting).select(uri).getFirst().type() != Proxy.Type.DIRECT;
  }

  @Override
  public List<Proxy> select(URI uri) {
    boolean tls = "https".equalsIgnoreCase(uri.getScheme());
    int port = uri.getPort() >= 0 ? uri.getPort() : tls ? 443 : 80;
    var server = tls ? setting.https() : setting.http();
    if (server == null || NoProxy.covers(setting.noProxy(), uri.getHost(), port)) {
      return List.of(Proxy.NO_PROXY);
    }
    var address = InetSocketAddress.createUnresolved(server.url().getHost(), server.port());
    return List.of(new Proxy(Proxy.Type.HTTP, address));
  }

  @Override
  public void connectFailed(URI uri, SocketAddress address, IOException failure) {
    // the call itself reports it
  }

  /** The request with credentials, or null if there are none or the proxy refused them. */
  @Override
  public @Nullable Request authenticate(@Nullable Route route, Response response) {
    var asked = response.request();
    var server = asked.url().isHttps() ? setting.https() : setting.http();
    if (server == null || server.user().isEmpty() || asked.header("Proxy-Authorization") != null) {
      return null;
    }
    return asked
        .newBuilder()
        .header("Proxy-Authorization", Credentials.basic(server.user(), server.password()))
        .build();
  }
}

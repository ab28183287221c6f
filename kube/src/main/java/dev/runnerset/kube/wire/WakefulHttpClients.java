package dev.runnerset.kube.wire;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** Makes the HTTP clients of Kubernetes clients: such that notice when nobody answers any more. */
public final class WakefulHttpClients extends JdkHttpClientFactory {
  private final Duration timeout;
  private final Pings pings;

  /**
   * Clients for the API server.
   *
   * @param timeout of requests that have none of their own
   */
  public WakefulHttpClients(Duration timeout) {
    this(timeout, Pings.DEFAULT);
  }

  WakefulHttpClients(Duration timeout, Pings pings) {
    this.timeout = timeout;
    this.pings = pings;
  }

  @Override
  protected HttpClient.Builder createNewHttpClientBuilder() {
    return new Builder(super.createNewHttpClientBuilder());
  }

  /** The builder of the JDK, which can build more than once. */
  private final class Builder implements HttpClient.Builder {
    private final HttpClient.Builder each;

    Builder(HttpClient.Builder each) {
      this.each = each;
    }

    @Override
    public HttpClient build() {
      return new RenewedHttpClient(each::build, timeout, pings);
    }

    @Override
    public HttpClient.Builder cookieHandler(CookieHandler handler) {
      each.cookieHandler(handler);
      return this;
    }

    @Override
    public HttpClient.Builder connectTimeout(Duration duration) {
      each.connectTimeout(duration);
      return this;
    }

    @Override
    public HttpClient.Builder sslContext(SSLContext context) {
      each.sslContext(context);
      return this;
    }

    @Override
    public HttpClient.Builder sslParameters(SSLParameters parameters) {
      each.sslParameters(parameters);
      return this;
    }

    @Override
    public HttpClient.Builder executor(Executor executor) {
      each.executor(executor);
      return this;
    }

    @Override
    public HttpClient.Builder followRedirects(HttpClient.Redirect policy) {
      each.followRedirects(policy);
      return this;
    }

    @Override
    public HttpClient.Builder version(HttpClient.Version version) {
      each.version(version);
      return this;
    }

    @Override
    public HttpClient.Builder priority(int priority) {
      each.priority(priority);
      return this;
    }

    @Override
    public HttpClient.Builder proxy(ProxySelector selector) {
      each.proxy(selector);
      return this;
    }

    @Override
    public HttpClient.Builder authenticator(Authenticator authenticator) {
      each.authenticator(authenticator);
      return this;
    }
  }
}

package dev.runnerset.kube.wire;

import dev.runnerset.base.Intercepted;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.net.http.HttpClient;
import java.time.Duration;

/** Makes the HTTP clients of Kubernetes clients: such that notice when nobody answers any more. */
public final class WakefulHttpClients extends JdkHttpClientFactory {
  private final Duration timeout;

  /**
   * Clients for the API server.
   *
   * @param timeout of requests that have none of their own
   */
  public WakefulHttpClients(Duration timeout) {
    this.timeout = timeout;
  }

  /** The builder of the JDK, which can build more than once, but for what it builds. */
  @Override
  protected HttpClient.Builder createNewHttpClientBuilder() {
    var each = super.createNewHttpClientBuilder();
    return Intercepted.of(
        HttpClient.Builder.class,
        each,
        (method, _, call) ->
            method.getName().equals("build")
                ? new RenewedHttpClient(each::build, timeout, Pings.DEFAULT)
                : call.get());
  }
}

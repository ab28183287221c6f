package dev.runnerset.kube.wire;

import io.fabric8.kubernetes.client.okhttp.OkHttpClientFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Makes the HTTP clients of Kubernetes clients: such that notice when nobody answers any more. Each
 * web socket, and each connection of HTTP/2, is pinged. If no answer has come when the next ping is
 * due, the connection ends, and what waits on it fails; the outcome of a request is unknown then.
 */
public final class WakefulHttpClients extends OkHttpClientFactory {
  /** A lease is lost sooner than a request is given up otherwise. */
  static final Duration LEASE_TIMEOUT = Duration.ofSeconds(5);

  private static final Duration PING = Duration.ofSeconds(6);

  private final Duration timeout;
  private final Duration ping;

  /**
   * Clients for the API server.
   *
   * @param timeout how long the answer to a request may take
   */
  public WakefulHttpClients(Duration timeout) {
    this(timeout, PING);
  }

  WakefulHttpClients(Duration timeout, Duration ping) {
    this.timeout = timeout;
    this.ping = ping;
  }

  @Override
  protected void additionalConfig(OkHttpClient.Builder builder) {
    builder
        .pingInterval(ping)
        .addInterceptor(this::limit)
        .addNetworkInterceptor(WakefulHttpClients::sentOnce);
  }

  /** OkHttp sends again at once what is answered with 503 and this header, a write too. */
  private static Response sentOnce(Interceptor.Chain chain) throws IOException {
    var answer = chain.proceed(chain.request());
    return answer.code() == 503 && !chain.request().method().equals("GET")
        ? answer.newBuilder().removeHeader("Retry-After").build()
        : answer;
  }

  /**
   * A connection on which an answer did not come in time is asked at once, and not used again if it
   * stays silent. A read whose connection ends is repeated; who sends a write knows what that
   * means.
   */
  private Response limit(Interceptor.Chain chain) throws IOException {
    var request = chain.request();
    int limit = (int) limit(request).toMillis();
    boolean lease = limit == LEASE_TIMEOUT.toMillis();
    return chain
        .withConnectTimeout(lease ? limit / 2 : chain.connectTimeoutMillis(), TimeUnit.MILLISECONDS)
        .withReadTimeout(limit, TimeUnit.MILLISECONDS)
        .withWriteTimeout(limit, TimeUnit.MILLISECONDS)
        .withRetryOnConnectionFailure(request.method().equals("GET"))
        .proceed(request);
  }

  private Duration limit(Request request) {
    var url = request.url();
    if (url.encodedPath().contains("/apis/coordination.k8s.io/")) {
      return LEASE_TIMEOUT;
    }
    // a stream goes on for as long as somebody listens; of a web socket this is its beginning
    boolean stream =
        request.header("Upgrade") == null
            && ("true".equals(url.queryParameter("watch"))
                || "true".equals(url.queryParameter("follow")));
    return stream ? Duration.ZERO : timeout;
  }
}

package dev.runnerset.actions.http;

import dev.runnerset.actions.ConfigUrl;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;

/**
 * The HTTP clients of one connection: one for reads, one for calls that change something, one for
 * long polls. They share connections.
 */
record HttpClients(OkHttpClient reads, OkHttpClient writes, OkHttpClient polls) {
  /** Idle connections kept; a listener of 1,000 sets polls on as many. */
  private static final int MOST_IDLE = 1_024;

  /** The settings by which clients differ. */
  record Kind(Timeouts timeouts, Route route, boolean http2) {
    /**
     * HTTP/2 is spoken with GitHub's own hosts alone. The library lets the other end of HTTP/2 send
     * 16 MiB, and headers without end, before anybody reads: so who may be anybody (CN6) is asked
     * by HTTP/1.1, and what he sends is bounded.
     */
    static Kind of(ConfigUrl url, Timeouts timeouts, Route route) {
      return new Kind(timeouts, route, url.isHosted() && route.trustedAuthorities().isEmpty());
    }
  }

  static HttpClients of(Kind kind) {
    var timeouts = kind.timeouts();
    var dispatcher = new Dispatcher();
    dispatcher.setMaxRequests(2 * MOST_IDLE);
    dispatcher.setMaxRequestsPerHost(2 * MOST_IDLE);
    var builder =
        new OkHttpClient.Builder()
            .dispatcher(dispatcher)
            .connectionPool(new ConnectionPool(MOST_IDLE, 2, TimeUnit.MINUTES))
            .protocols(
                kind.http2()
                    ? List.of(Protocol.HTTP_2, Protocol.HTTP_1_1)
                    : List.of(Protocol.HTTP_1_1))
            .dns(Lookups.OF_SYSTEM)
            .socketFactory(new ProbedSockets(kind.route(), !kind.http2()))
            // on HTTP/2 the service itself answers a ping; if no answer has come when the next ping
            // is due, the connection ends
            .pingInterval(ProbedSockets.SILENT_FOR.dividedBy(2))
            .connectTimeout(timeouts.connect())
            .readTimeout(timeouts.call())
            .writeTimeout(timeouts.call())
            .callTimeout(timeouts.call())
            .followSslRedirects(false)
            // OkHttp must not silently repeat a call that changes something
            .retryOnConnectionFailure(false)
            .addNetworkInterceptor(HttpClients::ask)
            .addNetworkInterceptor(HttpClients::keepMethod);
    trust(builder, kind.route().trustedAuthorities());
    ProxyChoice.apply(builder, kind.route().proxy());
    var writes = builder.build();
    // a read on a connection that the service has closed meanwhile may be repeated at once
    var reads = writes.newBuilder().retryOnConnectionFailure(true).build();
    var polls =
        reads
            .newBuilder()
            .readTimeout(timeouts.pollRead())
            .callTimeout(timeouts.pollCall())
            .build();
    return new HttpClients(reads, writes, polls);
  }

  /** The call, with no more time than {@code left}. */
  Call call(Endpoint endpoint, Request request, Duration left) {
    var client =
        endpoint == Endpoint.GET_MESSAGE ? polls : request.method().equals("GET") ? reads : writes;
    var call = client.newCall(request);
    if (left.toNanos() < call.timeout().timeoutNanos()) {
      call.timeout().timeout(Math.max(1, left.toMillis()), TimeUnit.MILLISECONDS);
    }
    return call;
  }

  /** The last moment before the first byte: connecting, too, may have taken long. */
  private static Response ask(Interceptor.Chain chain) throws IOException {
    var mark = chain.request().tag(SentMark.class);
    if (mark != null) {
      if (!mark.maySend.getAsBoolean()) {
        throw new BarredException();
      }
      mark.sent = true;
    }
    return chain.proceed(chain.request());
  }

  /** The request was kept back, since its owner may change nothing now. */
  static final class BarredException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * A redirect that leads elsewhere fails. One that would turn what changes something into a GET is
   * not followed but an answer of its own; 307 and 308, which keep the method, are (a renamed
   * repository answers so).
   */
  private static Response keepMethod(Interceptor.Chain chain) throws IOException {
    var response = chain.proceed(chain.request());
    var location = response.isRedirect() ? response.header("Location") : null;
    var target = location == null ? null : chain.request().url().resolve(location);
    if (target != null) {
      try {
        HostRules.checkRedirect(chain.request().url(), target);
      } catch (IOException e) {
        response.close();
        throw e;
      }
    }
    boolean turns = response.code() >= 300 && response.code() <= 303;
    return turns && !chain.request().method().equals("GET")
        ? response.newBuilder().removeHeader("Location").build()
        : response;
  }

  void close() {
    writes.connectionPool().evictAll(); // the pool is shared by all three
  }

  /** A mark on a request: whether its first byte may have left this machine. */
  static final class SentMark {
    private final BooleanSupplier maySend;
    private volatile boolean sent;

    /** A request that is sent only if the supplier says yes just before. */
    SentMark(BooleanSupplier maySend) {
      this.maySend = maySend;
    }

    boolean isSent() {
      return sent;
    }
  }

  private static void trust(OkHttpClient.Builder builder, List<X509Certificate> authorities) {
    if (authorities.isEmpty()) {
      return;
    }
    try {
      var trust = TrustedAuthorities.trusting(authorities);
      var context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {trust}, null);
      builder.sslSocketFactory(context.getSocketFactory(), trust);
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("the trusted authorities cannot be used", e);
    }
  }
}

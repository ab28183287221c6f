package dev.runnerset.kube.wire;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client that gives its connections up when one of them is silent. The JDK's own client goes on
 * with a connection of HTTP/2 whose other end is gone without a word, and each request on it then
 * runs into its time limit, for as long as the process lives. Here the first such request, or an
 * unanswered ping of a watch, makes a new client for all later requests. Requests that are under
 * way on the old client may end there. Where the ping of a watch went unanswered, requests that
 * have waited for a while fail at once, and their outcome is unknown. Thread-safe.
 */
final class RenewedHttpClient extends HttpClient {
  /** A lease is lost sooner than a request is given up otherwise. */
  static final Duration LEASE_TIMEOUT = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(RenewedHttpClient.class);

  private final Supplier<HttpClient> maker;
  private final Duration timeout;
  private final AtomicReference<HttpClient> current;
  private final Map<CompletableFuture<?>, Sent> underWay = new ConcurrentHashMap<>();
  private final Pings pings;

  /**
   * A client without connections.
   *
   * @param timeout of requests that have none of their own
   */
  RenewedHttpClient(Supplier<HttpClient> maker, Duration timeout, Pings pings) {
    this.maker = maker;
    this.timeout = timeout;
    this.pings = pings;
    current = new AtomicReference<>(maker.get());
  }

  /** Over which client a request was sent, and when. */
  private record Sent(HttpClient client, long at) {}

  /** New requests go over new connections, unless they do already. */
  private void renew(HttpClient silent, String why) {
    if (current.get() == silent) {
      var fresh = maker.get();
      if (current.compareAndSet(silent, fresh)) {
        LOG.atWarn()
            .addKeyValue("why", why)
            .log("the API server is silent on a connection: new ones are made");
        silent.shutdown();
      } else {
        fresh.shutdown();
      }
    }
  }

  /**
   * What waits on a connection of its own is as dead, whichever client it belongs to: an earlier
   * renewal left watches and requests on different ones. What was sent just now may be answered.
   */
  private void giveUp(HttpClient silent, String why) {
    renew(silent, why);
    var now = System.nanoTime();
    underWay.forEach((answer, sent) -> {
      if (now - sent.at() >= pings.after().toNanos()) {
        renew(sent.client(), why);
        answer.completeExceptionally(
            new HttpTimeoutException("no answer, nor to a ping of a watch"));
      }
    });
  }

  private HttpRequest limited(HttpRequest request) {
    if (isStream(request)) {
      return request;
    }
    if (request.uri().getPath().contains("/apis/coordination.k8s.io/")) {
      return limited(request, LEASE_TIMEOUT);
    }
    return request.timeout().isPresent() ? request : limited(request, timeout);
  }

  /** What goes on for as long as somebody listens; a later Java counts it to the limit. */
  private static boolean isStream(HttpRequest request) {
    var query = request.uri().getQuery();
    return query != null && (query.contains("watch=true") || query.contains("follow=true"));
  }

  private static HttpRequest limited(HttpRequest request, Duration limit) {
    return HttpRequest.newBuilder(request, (name, value) -> true).timeout(limit).build();
  }

  private static boolean isSilence(Throwable failure) {
    var cause = failure.getCause() == null ? failure : failure.getCause();
    return cause instanceof HttpTimeoutException && !(cause instanceof HttpConnectTimeoutException);
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    return sendAsync(request, handler, null);
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request,
      HttpResponse.BodyHandler<T> handler,
      HttpResponse.@Nullable PushPromiseHandler<T> pushes) {
    var client = current.get();
    var sent = client.sendAsync(limited(request), handler, pushes);
    var answer = new CompletableFuture<HttpResponse<T>>();
    underWay.put(answer, new Sent(client, System.nanoTime()));
    var _ =
        sent.whenComplete((response, failure) -> {
          if (failure == null) {
            answer.complete(response);
          } else {
            if (isSilence(failure)) {
              renew(client, request.method() + " " + request.uri().getPath());
            }
            answer.completeExceptionally(failure);
          }
        });
    var _ =
        answer.whenComplete((response, failure) -> {
          underWay.remove(answer);
          if (failure != null) {
            sent.cancel(true);
          }
        });
    return answer;
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    var answer = sendAsync(request, handler);
    try {
      return answer.get();
    } catch (InterruptedException e) {
      answer.cancel(true);
      throw e;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    }
  }

  @Override
  public WebSocket.Builder newWebSocketBuilder() {
    var client = current.get();
    return new PingedWebSocketBuilder(
        client.newWebSocketBuilder(), pings, path -> giveUp(client, "watch " + path));
  }

  @Override
  public void shutdown() {
    current.get().shutdown();
  }

  @Override
  public boolean awaitTermination(Duration duration) throws InterruptedException {
    return current.get().awaitTermination(duration);
  }

  @Override
  public Optional<CookieHandler> cookieHandler() {
    return current.get().cookieHandler();
  }

  @Override
  public Optional<Duration> connectTimeout() {
    return current.get().connectTimeout();
  }

  @Override
  public Redirect followRedirects() {
    return current.get().followRedirects();
  }

  @Override
  public Optional<ProxySelector> proxy() {
    return current.get().proxy();
  }

  @Override
  public SSLContext sslContext() {
    return current.get().sslContext();
  }

  @Override
  public SSLParameters sslParameters() {
    return current.get().sslParameters();
  }

  @Override
  public Optional<Authenticator> authenticator() {
    return current.get().authenticator();
  }

  @Override
  public Version version() {
    return current.get().version();
  }

  @Override
  public Optional<Executor> executor() {
    return current.get().executor();
  }
}

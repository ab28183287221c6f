package dev.runnerset.kube;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends the writes of a process with its lease (WR8). A process that was paused for longer than its
 * lease does not know, when it wakes, that another one leads. So each write asks the guard, which
 * compares the time since the last renewal with the lease. The lease counts from the moment before
 * the request that renewed it.
 *
 * <p>The guard is an interceptor of the HTTP client: it sees every write, also those of the
 * libraries, and every renewal. Thread-safe.
 */
public final class LeaseGuard implements Interceptor {
  /** The end of the lease in which nothing is sent: writes under way may still arrive then. */
  static final Duration LONGEST_MARGIN = Duration.ofSeconds(2);

  /** A server that is overloaded or starts says so at once; its next answer may be another. */
  static final Duration READ_AGAIN_AFTER = Duration.ofSeconds(1);

  private static final int MARGIN_PART = 5;
  private static final Executor LATER =
      CompletableFuture.delayedExecutor(READ_AGAIN_AFTER.toMillis(), TimeUnit.MILLISECONDS);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Both clocks at one moment: a pause may be hidden from either of them. */
  private record Reading(Instant wall, long nanos) {}

  private final String leasePath;
  private final String name;
  private final String identity;
  private final Duration usable;
  private final Clock clock;
  private final LongSupplier nanoTime;
  private final Map<UUID, Reading> beginByRequest = new ConcurrentHashMap<>();
  private volatile @Nullable Reading renewed;
  private volatile boolean abandoned;

  /**
   * A guard that knows of no lease yet, and so lets nothing be written.
   *
   * @param lasts after how long without renewal another process may take the lease
   * @param nanoTime a clock that no administrator sets, as {@link System#nanoTime}
   */
  public LeaseGuard(
      String namespace,
      String name,
      String identity,
      Duration lasts,
      Clock clock,
      LongSupplier nanoTime) {
    this.leasePath = "/apis/coordination.k8s.io/v1/namespaces/%s/leases".formatted(namespace);
    this.name = name;
    this.identity = identity;
    this.usable = lasts.minus(margin(lasts));
    this.clock = clock;
    this.nanoTime = nanoTime;
  }

  private static Duration margin(Duration lasts) {
    var part = lasts.dividedBy(MARGIN_PART);
    return part.compareTo(LONGEST_MARGIN) < 0 ? part : LONGEST_MARGIN;
  }

  /**
   * A client of the same cluster and identity, whose writes end with the lease; to be closed. A
   * write is sent once: the library swallows what {@link #before} throws at a second attempt, and
   * the caller would wait for ever. A read that the server answers with 429 or 5xx is repeated
   * once, by {@link #afterFailure}.
   */
  public KubernetesClient guarded(KubernetesClient client) {
    var once =
        new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
            .withRequestRetryBackoffLimit(0)
            .build();
    return new KubernetesClientBuilder()
        .withConfig(client.getConfiguration())
        .withHttpClientFactory(KubeConnection.httpClients())
        .withKubernetesSerialization(client.getKubernetesSerialization())
        .withHttpClientBuilderConsumer(
            http -> http.addOrReplaceInterceptor("lease-guard", this).tag(once))
        .build();
  }

  /** Whether the lease is ours for certain, and for long enough to send something. */
  public boolean holds() {
    var last = renewed;
    if (last == null) {
      return false;
    }
    var byWall = Duration.between(last.wall(), clock.instant());
    var byNanos = Duration.ofNanos(nanoTime.getAsLong() - last.nanos());
    return byWall.compareTo(usable) < 0 && byNanos.compareTo(usable) < 0;
  }

  /** When the last renewal by this process began; null before it, and once the lease is lost. */
  public @Nullable Instant renewedAt() {
    var last = renewed;
    return last == null ? null : last.wall();
  }

  /** This process holds it no longer. */
  public void lost() {
    renewed = null;
  }

  /** Sends no write any more, as if the process had died: the lease stays until it runs out. */
  public void abandon() {
    abandoned = true;
    lost();
  }

  @Override
  public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
    if (!isRead(request) && (abandoned || (!isLease(request) && !holds()))) {
      throw new NotSentException(
          request.method()
              + " "
              + request.uri().getPath()
              + ": not sent, because the lease "
              + name
              + " has run out or was never ours");
    }
  }

  /** Called just before a request is sent, with the id that {@link #after} gets. */
  @Override
  public AsyncBody.Consumer<List<ByteBuffer>> consumer(
      AsyncBody.Consumer<List<ByteBuffer>> consumer, HttpRequest request) {
    if (!isRead(request) && isLease(request)) {
      beginByRequest.put(request.id(), new Reading(clock.instant(), nanoTime.getAsLong()));
    }
    return consumer;
  }

  @Override
  public void after(
      HttpRequest request,
      HttpResponse<?> response,
      AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    var begin = beginByRequest.remove(request.id());
    if (begin != null && response.isSuccessful()) {
      renewed = isOurs(request) ? begin : null;
    }
  }

  /** Whether the lease is ours after that request. A request without a holder keeps the holder. */
  private boolean isOurs(HttpRequest request) {
    if (request.method().equals("DELETE")) {
      return false;
    }
    try {
      var body = JSON.readTree(request.bodyString() == null ? "" : request.bodyString());
      var holder = body.at("/spec/holderIdentity");
      return body.isObject() && (holder.isMissingNode() || holder.asText().equals(identity));
    } catch (JsonProcessingException e) {
      return false; // in a form that we do not send
    }
  }

  /** Repeats a read once, unless the server asks for a longer wait. */
  @Override
  public CompletableFuture<Boolean> afterFailure(
      HttpRequest.Builder builder, HttpResponse<?> response, RequestTags tags) {
    var asked = response.header("Retry-After");
    boolean soon = asked == null || asked.matches("[01]"); // seconds
    boolean mayPass = response.code() == 429 || response.code() >= 500;
    return mayPass && soon && response.request().method().equals("GET")
        ? CompletableFuture.supplyAsync(() -> true, LATER)
        : CompletableFuture.completedFuture(false);
  }

  @Override
  public void afterConnectionFailure(HttpRequest request, Throwable failure) {
    beginByRequest.remove(request.id());
  }

  private static boolean isRead(HttpRequest request) {
    return request.method().equals("GET")
        // a question about our own rights, which the framework asks before it leads
        || request.uri().getPath().startsWith("/apis/authorization.k8s.io/");
  }

  private boolean isLease(HttpRequest request) {
    var path = request.uri().getPath();
    return path.endsWith(leasePath) || path.endsWith(leasePath + "/" + name);
  }
}

package dev.runnerset.kube;

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
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Ends the writes of a process with its lease. A process that was paused for longer than its lease
 * does not know, when it wakes, that another one leads; so each write asks here, and here the time
 * since the last renewal is read anew. The lease runs from before the request that renewed it.
 *
 * <p>It stands in the HTTP client, where every write passes, also those of the libraries, and where
 * every renewal is seen, whoever sends it. Thread-safe.
 */
public final class LeaseGuard implements Interceptor {
  /** What is kept of the lease for a write that is on its way when the lease ends. */
  static final Duration LONGEST_MARGIN = Duration.ofSeconds(2);

  private static final int MARGIN_PART = 5;
  private static final Pattern HOLDER = Pattern.compile("\"holderIdentity\":\"([^\"]*)\"");

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
   * A client of the same cluster and identity, whose writes end with the lease; to be closed. The
   * client repeats no request: the library swallows what {@link #before} throws at a second
   * attempt, and the caller would wait for ever. Whoever asked asks again.
   */
  public KubernetesClient guarded(KubernetesClient client) {
    var once =
        new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
            .withRequestRetryBackoffLimit(0)
            .build();
    return new KubernetesClientBuilder()
        .withConfig(client.getConfiguration())
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

  @Override
  public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
    if (!isRead(request) && !isLease(request) && !holds()) {
      throw new NotSentException(
          request.method()
              + " "
              + request.uri().getPath()
              + ": not sent, because the lease "
              + name
              + " has run out or was never ours");
    }
  }

  /** Called just before a request is sent, with the id that {@link #after} is told. */
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
      var body = request.bodyString();
      var holder = HOLDER.matcher(body == null ? "" : body);
      renewed = !holder.find() || holder.group(1).equals(identity) ? begin : null;
    }
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

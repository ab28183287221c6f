package dev.runnerset.actions.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.runnerset.actions.ServiceException;
import io.github.resilience4j.retry.Retry;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import okhttp3.HttpUrl;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/** Sends requests, again where the rules allow it, and reads whole answers. Thread-safe. */
final class Exchanges {
  /** No answer of the protocol comes near; a message holds 50 jobs (protocol 4.1). */
  static final int LONGEST_BODY = 4 * 1024 * 1024;

  private final HttpClients clients;
  private final Map<Endpoint, Retry> retries = new EnumMap<>(Endpoint.class); // never changed
  private final Waiter waiter;
  private final Clock clock;
  private final CallListener listener;
  private final Duration whole;
  private final BooleanSupplier maySend;
  private final @Nullable ProxySetting proxy;
  private final HostRules hosts;
  private final Map<String, HostPause> pauseByHost = new ConcurrentHashMap<>();

  /** The clients stay the caller's. */
  Exchanges(ServiceSettings settings, HttpClients clients, CallListener listener, Waiter waiter) {
    this.clients = clients;
    this.waiter = waiter;
    this.clock = settings.clock();
    this.listener = listener;
    this.whole = settings.calls().timeouts().whole();
    this.maySend = settings.calls().maySend();
    this.proxy = settings.route().proxy();
    this.hosts = new HostRules(settings.url(), settings.route());
    for (var endpoint : Endpoint.values()) {
      retries.put(endpoint, settings.calls().retry().retry(endpoint, settings.calls().random()));
    }
  }

  Clock clock() {
    return clock;
  }

  /** When a call that begins now is to have ended, with all its attempts. */
  Instant deadline() {
    return clock.instant().plus(whole);
  }

  /**
   * The last answer, whatever its status; without a deadline of its own the call has that of all
   * calls.
   *
   * @throws ServiceException without one
   */
  Answer send(Exchange given) {
    var exchange = given.deadline() == null ? given.until(deadline()) : given;
    Retry.AsyncContext<Attempt> context =
        Objects.requireNonNull(retries.get(exchange.endpoint())).asyncContext();
    @Nullable Attempt unsure = null;
    for (int number = 1; ; number++) {
      var attempt = attempt(exchange, number);
      unsure = attempt.mayBeCarriedOut() ? attempt : unsure;
      long waitMillis = context.onResult(attempt); // negative: that was all
      if (waitMillis < 0 || passes(exchange.deadline(), Duration.ofMillis(waitMillis))) {
        // "not sent" would be untrue of a call that an earlier attempt may have carried out
        boolean keptBack = attempt instanceof Attempt.Held || attempt instanceof Attempt.Barred;
        return answer(keptBack && unsure != null ? unsure : attempt, exchange.request());
      }
      pause(Duration.ofMillis(waitMillis), exchange);
    }
  }

  private Answer answer(Attempt last, Request request) {
    return switch (last) {
      case Attempt.Answered(var answer) -> answer;
      case Attempt.Failed failed -> throw Unanswered.failed(failed, request, isProxied(request));
      case Attempt.Held held -> throw Unanswered.held(held, request, clock.instant());
      case Attempt.Barred _ -> throw Unanswered.barred(request);
    };
  }

  /**
   * Rejects a URL to which the service leads and that may not be asked.
   *
   * @param request by which the service was asked
   */
  void requireAllowed(HttpUrl url, Request request) {
    try {
      hosts.check(url);
    } catch (HostRules.RefusedException e) {
      throw Unanswered.failed(new Attempt.Failed(e, true, false), request, isProxied(request));
    }
  }

  private boolean isProxied(Request request) {
    return proxy != null && ProxyChoice.isUsed(proxy, request.url().uri());
  }

  private Attempt attempt(Exchange exchange, int number) {
    var pausedUntil = pauseOf(exchange).standing(clock.instant());
    return pausedUntil == null
        ? sent(exchange, number)
        : new Attempt.Held(Duration.between(clock.instant(), pausedUntil));
  }

  private Attempt sent(Exchange exchange, int number) {
    var signal = exchange.signal();
    var mark =
        new HttpClients.SentMark(exchange.endpoint().changesService() ? maySend : () -> true);
    var request = exchange.request().newBuilder().tag(HttpClients.SentMark.class, mark).build();
    var call =
        clients.call(
            new Exchange(exchange.endpoint(), request, signal, exchange.deadline()),
            left(exchange.deadline()));
    var begin = clock.instant();
    Attempt outcome;
    signal.attach(call);
    try {
      hosts.check(request.url());
      try (var response = call.execute()) {
        outcome = new Attempt.Answered(answer(response, exchange));
      }
    } catch (HttpClients.BarredException e) {
      outcome = new Attempt.Barred();
    } catch (Exception e) {
      outcome = failed(e, mark, signal);
    } finally {
      signal.detach(call);
    }
    listener.called(
        exchange.endpoint(), number, outcome.status(), Duration.between(begin, clock.instant()));
    return outcome;
  }

  /** The library, being Kotlin, lets an InterruptedException out that no signature tells of. */
  private static Attempt failed(Exception e, HttpClients.SentMark mark, CancelSignal signal) {
    if (e instanceof RuntimeException broken) {
      throw broken;
    }
    if (e instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    boolean cancelled = signal.isCancelled() || Thread.currentThread().isInterrupted();
    return new Attempt.Failed(
        e instanceof IOException failed ? failed : new IOException(e), mark.isSent(), cancelled);
  }

  private Answer answer(Response response, Exchange exchange) throws IOException {
    var head =
        new Answer(
            Redaction.request(exchange.request()),
            response.code(),
            Wire.text(response.header("Content-Type")),
            "",
            id(response.header("ActivityId")),
            id(response.header("X-GitHub-Request-Id")),
            null);
    var source = response.body().source();
    if (source.request(LONGEST_BODY + 1L)) {
      throw head.malformed("the answer is longer than " + LONGEST_BODY + " bytes");
    }
    var text = new String(source.readByteArray(), UTF_8);
    var body = text.startsWith("\uFEFF") ? text.substring(1) : text;
    var wait = RetryAfter.of(head.status(), response.headers(), body, clock);
    if (wait != null) {
      pauseOf(exchange).ask(wait, clock.instant()); // all calls to that host, not this one alone
    }
    return new Answer(
        head.request(),
        head.status(),
        head.contentType(),
        body,
        head.activityId(),
        head.requestId(),
        wait);
  }

  /** Nothing but an id is quoted of these headers. */
  private static String id(@Nullable String header) {
    return header != null && header.matches("[A-Za-z0-9:-]{1,64}") ? header : "";
  }

  /**
   * The pause that the call heeds. A host speaks for itself only: what GitHub's REST API limits
   * must not end the sessions of all sets. The queue of one session speaks for no other one, and
   * its caller comes back by itself.
   */
  private HostPause pauseOf(Exchange exchange) {
    return exchange.endpoint().isOfQueue()
        ? new HostPause()
        : pauseByHost.computeIfAbsent(exchange.request().url().host(), host -> new HostPause());
  }

  private void pause(Duration duration, Exchange exchange) {
    try {
      waiter.pause(duration, exchange.signal());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Unanswered.cancelled(exchange.request(), "interrupted");
    }
    if (exchange.signal().isCancelled()) {
      throw Unanswered.cancelled(exchange.request(), "cancelled");
    }
  }

  private @Nullable Duration left(@Nullable Instant deadline) {
    return deadline == null ? null : Duration.between(clock.instant(), deadline);
  }

  private boolean passes(@Nullable Instant deadline, Duration wait) {
    return deadline != null && clock.instant().plus(wait).isAfter(deadline);
  }

  /**
   * Until when a host asked this connection to send nothing (protocol 5.1): one call is told so,
   * and all calls heed it. Thread-safe.
   */
  private static final class HostPause {
    private final AtomicReference<Instant> until = new AtomicReference<>(Instant.EPOCH);

    /** Notes a wait that the host asked for; the latest end counts. */
    void ask(Duration wait, Instant now) {
      var end = now.plus(wait);
      until.accumulateAndGet(end, (a, b) -> a.isAfter(b) ? a : b);
    }

    /** When calls may go out again, or null if now. */
    @Nullable Instant standing(Instant now) {
      var end = until.get();
      return end.isAfter(now) ? end : null;
    }
  }
}

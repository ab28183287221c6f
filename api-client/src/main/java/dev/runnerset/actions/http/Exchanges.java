package dev.runnerset.actions.http;

import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.ServiceException;
import io.github.resilience4j.retry.Retry;
import java.io.EOFException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.Request;
import okhttp3.Response;
import okio.Buffer;
import okio.ByteString;
import org.jspecify.annotations.Nullable;

/** Sends requests, again where the rules allow it, and reads whole answers. Thread-safe. */
final class Exchanges {
  /** In the first bytes of a message, where the service writes it. */
  private static final Pattern MESSAGE_ID =
      Pattern.compile("\"messageId\"\\s*:\\s*(\\d{1,18})", Pattern.CASE_INSENSITIVE);

  private static final int FIRST_BYTES = 200;
  private static final ByteString BYTE_ORDER_MARK = ByteString.encodeUtf8("\uFEFF");

  private final HttpClients clients;
  private final Map<Endpoint, Retry> retries = new EnumMap<>(Endpoint.class); // never changed
  private final Waiter waiter;
  private final Clock clock;
  private final Duration whole;
  private final BooleanSupplier maySend;
  private final @Nullable ProxySetting proxy;
  private final HostRules hosts;
  private final SpareCalls spare;
  private final GrantedRights rights = new GrantedRights();

  /**
   * Until when a host asked this connection to send nothing (protocol 5.1): one call learns it, and
   * all calls to that host heed it. The queue of one session speaks for no other one, and its
   * caller comes back by itself.
   */
  private final Map<String, Instant> pausedUntilByHost = new ConcurrentHashMap<>();

  /** The clients stay the caller's. */
  Exchanges(
      HttpClients clients,
      ConfigUrl url,
      Route route,
      CallRules rules,
      Clock clock,
      Waiter waiter) {
    this.clients = clients;
    this.waiter = waiter;
    this.clock = clock;
    this.whole = rules.timeouts().whole();
    this.maySend = rules.maySend();
    this.proxy = route.proxy();
    this.hosts = new HostRules(url, route);
    this.spare = new SpareCalls(clock);
    for (var endpoint : Endpoint.values()) {
      retries.put(endpoint, rules.retry().retry(endpoint, rules.random()));
    }
  }

  Clock clock() {
    return clock;
  }

  /** What the credentials may do, as far as answers have said it. */
  GrantedRights rights() {
    return rights;
  }

  /** When a call that begins now is to have ended, with all its attempts. */
  Instant deadline() {
    return clock.instant().plus(whole);
  }

  /** An ordinary call, which only its own thread can end; see the other method. */
  Answer send(Endpoint endpoint, Request request) {
    return send(endpoint, request, new CancelSignal(), deadline());
  }

  /**
   * The last answer, whatever its status.
   *
   * @param deadline of all attempts together
   * @throws ServiceException without an answer
   */
  Answer send(Endpoint endpoint, Request request, CancelSignal signal, Instant deadline) {
    Retry.AsyncContext<Attempt> context =
        Objects.requireNonNull(retries.get(endpoint)).asyncContext();
    @Nullable Attempt unsure = null;
    while (true) {
      var attempt = attempt(endpoint, request, signal, deadline);
      unsure = attempt.mayBeCarriedOut() ? attempt : unsure;
      var wait = Duration.ofMillis(context.onResult(attempt)); // negative: that was all
      if (wait.isNegative() || clock.instant().plus(wait).isAfter(deadline)) {
        // "not sent" would be untrue of a call that an earlier attempt may have carried out
        return answer(attempt instanceof Attempt.KeptBack && unsure != null ? unsure : attempt);
      }
      pause(wait, request, signal);
    }
  }

  private static Answer answer(Attempt last) {
    return switch (last) {
      case Attempt.Answered(var answer) -> answer;
      case Attempt.Failed(var error, var _, var _) -> throw new ServiceException(error);
      case Attempt.KeptBack(var error, var _) -> throw new ServiceException(error);
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
      var _ = answer(Attempt.failed(e, request, true, isProxied(request)));
    }
  }

  private boolean isProxied(Request request) {
    return proxy != null && ProxyChoice.isUsed(proxy, request.url().uri());
  }

  private Attempt attempt(
      Endpoint endpoint, Request request, CancelSignal signal, Instant deadline) {
    var now = clock.instant();
    var until = endpoint.isOfQueue() ? null : pausedUntilByHost.get(request.url().host());
    if (until != null && until.isAfter(now)) {
      return Attempt.held(request, until, now);
    }
    var later = endpoint.canWait() ? spare.take() : null;
    if (later != null) {
      return Attempt.spared(request, later, now);
    }
    var mark = new HttpClients.SentMark(endpoint.changesService() ? maySend : () -> true);
    var marked = request.newBuilder().tag(HttpClients.SentMark.class, mark).build();
    var call = clients.call(endpoint, marked, Duration.between(now, deadline));
    signal.attach(call);
    try (var place = LargeAnswers.OF_PROCESS.begin(call::cancel, call::isCanceled)) {
      hosts.check(request.url());
      return ScopedValue.where(LargeAnswers.OF_CALL, place)
          .call(() -> answered(call, endpoint, request, place));
    } catch (HttpClients.BarredException e) {
      return Attempt.barred(request);
    } catch (Exception e) {
      return failed(e, request, mark.isSent(), signal);
    } finally {
      signal.detach(call);
    }
  }

  private Attempt answered(Call call, Endpoint endpoint, Request request, LargeAnswers.Place place)
      throws IOException {
    try (var response = call.execute()) {
      return new Attempt.Answered(read(response, endpoint, request, place));
    } catch (IOException e) {
      throw place.isTaken() ? LargeAnswers.taken() : e;
    }
  }

  /** OkHttp (Kotlin) throws InterruptedException without declaring it. */
  private Attempt failed(Exception e, Request request, boolean sent, CancelSignal signal) {
    if (e instanceof RuntimeException broken) {
      throw broken;
    }
    if (e instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    var failure = e instanceof IOException io ? io : new IOException(e);
    return signal.isCancelled() || Thread.currentThread().isInterrupted()
        ? Attempt.cancelled(request, sent)
        : Attempt.failed(failure, request, sent, isProxied(request));
  }

  private Answer read(
      Response response, Endpoint endpoint, Request request, LargeAnswers.Place place)
      throws IOException {
    var source = response.body().source();
    int longest = endpoint.longestBody(response.code());
    var read = source.getBuffer();
    while (read.size() <= longest && source.request(read.size() + LargeAnswers.STEP)) {
      place.grow(LargeAnswers.STEP);
    }
    if (read.size() > longest) {
      throw tooLong(response, endpoint, request, longest, read);
    }
    var answer = place.alone(() -> answer(response, endpoint, request, text(read)));
    spare.answered(response.headers());
    rights.answered(response.headers());
    var wait = answer.retryAfter();
    if (wait != null && endpoint.canWait()) {
      spare.hold(wait); // the calls that cannot wait learn it from their own answers
    } else if (wait != null && !endpoint.isOfQueue()) {
      pausedUntilByHost.merge(
          request.url().host(), clock.instant().plus(wait), (a, b) -> a.isAfter(b) ? a : b);
    }
    return answer;
  }

  private static String text(Buffer read) throws EOFException {
    if (read.rangeEquals(0, BYTE_ORDER_MARK)) {
      read.skip(BYTE_ORDER_MARK.size());
    }
    return read.readUtf8();
  }

  /** It can be acknowledged by nobody, so its id is worth knowing. */
  private ServiceException tooLong(
      Response response, Endpoint endpoint, Request request, int longest, Buffer read)
      throws EOFException {
    var id = MESSAGE_ID.matcher(read.readUtf8(FIRST_BYTES));
    var what =
        endpoint == Endpoint.GET_MESSAGE && id.find() ? "message " + id.group(1) : "the answer";
    return answer(response, endpoint, request, "")
        .malformed(what + " is longer than " + longest + " bytes");
  }

  private Answer answer(Response response, Endpoint endpoint, Request request, String body) {
    boolean read = Contents.isRead(endpoint, response.code());
    return new Answer(
        endpoint,
        Redaction.request(request),
        Redaction.token(request),
        response.code(),
        Fields.orEmpty(response.header("Content-Type")),
        read ? "" : body,
        read ? Contents.read(endpoint, body).orElse(null) : null,
        id(response.header("ActivityId")),
        id(response.header("X-GitHub-Request-Id")),
        RetryAfter.of(response.code(), response.headers(), body, clock),
        response.header("ETag"));
  }

  /** Nothing but an id is quoted of these headers. */
  private static String id(@Nullable String header) {
    return header != null && header.matches("[A-Za-z0-9:-]{1,64}") ? header : "";
  }

  private void pause(Duration duration, Request request, CancelSignal signal) {
    try {
      waiter.pause(duration, signal);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Attempt.cancellation(request, "interrupted");
    }
    if (signal.isCancelled()) {
      throw Attempt.cancellation(request, "cancelled");
    }
  }
}

package dev.runnerset.actions.http;

import dev.runnerset.actions.MessageSession;
import dev.runnerset.actions.OpenSessionResult;
import dev.runnerset.actions.PollResult;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.SessionId;
import dev.runnerset.actions.Statistics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import okhttp3.HttpUrl;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A session over HTTP (protocol 3.10, protocol 3.11). Thread-safe; a poll blocks nobody else. */
final class HttpMessageSession implements MessageSession {
  private static final Logger LOG = LoggerFactory.getLogger(HttpMessageSession.class);
  private static final String NO_SESSION = "00000000-0000-0000-0000-000000000000";

  private final AdminCalls calls;
  private final ScaleSetId scaleSet;
  private final Renewed<QueueAccess> access;
  private final @Nullable Statistics statistics;
  private final Duration pollCall;
  private final CancelSignal polls = new CancelSignal();
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean ended;

  /** The queue of a session and the right to read it. The token is never printed. */
  private record QueueAccess(SessionId session, HttpUrl queue, String token) {
    /** Of an answer, or null when that lacks it (seen live, protocol 3.10). */
    static @Nullable QueueAccess of(SessionId id, Fields session) {
      var queue = ServiceUrls.parse(session.text("messageQueueUrl"));
      var token = session.text("messageQueueAccessToken");
      return queue == null || !AdminTokens.isUsable(token)
          ? null
          : new QueueAccess(id, queue, token);
    }

    @Override
    public String toString() {
      return "QueueAccess[" + session + ", hidden]";
    }
  }

  private HttpMessageSession(
      AdminCalls calls,
      ScaleSetId scaleSet,
      QueueAccess first,
      @Nullable Statistics statistics,
      Duration pollCall) {
    this.calls = calls;
    this.scaleSet = scaleSet;
    this.access = new Renewed<>(first, () -> refresh(id()));
    this.statistics = statistics;
    this.pollCall = pollCall;
  }

  /** Opens the session of a scale set. */
  static OpenSessionResult open(
      AdminCalls calls, ScaleSetId scaleSet, String owner, Duration pollCall) {
    // The service's other clients cannot leave the id out either.
    var body = new Wire.NewSession(NO_SESSION, owner);
    var answer = calls.send(Endpoint.OPEN_SESSION, body, scaleSet);
    if (answer.isFault()) {
      return new OpenSessionResult.Conflict(answer.details().message());
    }
    var session = answer.fields();
    var id = new SessionId(session.text("sessionId"));
    if (!isId(id) || id.value().equals(NO_SESSION)) {
      throw answer.malformed("a session without an id");
    }
    var access = QueueAccess.of(id, session);
    if (access == null) {
      var noQueue = ServiceUrls.parse(session.text("messageQueueUrl")) == null;
      return new OpenSessionResult.Unusable(
          id, noQueue ? "the URL of its queue" : "a token for its queue");
    }
    return new OpenSessionResult.Opened(
        new HttpMessageSession(calls, scaleSet, access, session.statistics(), pollCall));
  }

  /** Ends a session, whoever opened it. */
  static void delete(AdminCalls calls, ScaleSetId scaleSet, SessionId session) {
    if (!isId(session)) {
      return; // the service never gave such an id, so there is nothing to end
    }
    var answer = calls.send(Endpoint.DELETE_SESSION, null, scaleSet, session);
    var gone = // a status alone says nothing of the session (protocol 2.5)
        answer.isFault()
            || answer.says(Fault.SCALE_SET_NOT_FOUND)
            || (answer.is(404) && answer.says(Fault.SESSION_UNKNOWN));
    if (!gone) {
      var _ = answer.success();
    }
  }

  private static boolean isId(SessionId session) {
    return session.value().matches("[A-Za-z0-9-]+");
  }

  /**
   * A new token, and whatever else the service changed. A session whose queue cannot be read any
   * more counts as lost: only a new one brings another queue.
   */
  private QueueAccess refresh(SessionId session) {
    var answer = calls.send(Endpoint.REFRESH_SESSION, null, scaleSet, session);
    if (answer.is(400) || answer.is(404)) { // legacy and broker (protocol 0)
      throw answer.sessionLost();
    }
    return Fields.parse(answer.success().body())
        .map(fields -> QueueAccess.of(session, fields))
        .orElseThrow(() ->
            new ServiceException(
                new ServiceError.SessionLost(
                    answer.details(
                        "", "a renewal without the queue of the session or its token"))));
  }

  @Override
  public SessionId id() {
    return current().session();
  }

  @Override
  public @Nullable Statistics statistics() {
    return statistics;
  }

  @Override
  public PollResult poll(long lastMessageId, int capacity) {
    if (capacity < 0) {
      throw new IllegalArgumentException("a capacity of " + capacity);
    }
    var answer =
        twice(
            Endpoint.GET_MESSAGE,
            held ->
                request(
                        Endpoint.GET_MESSAGE,
                        held,
                        ServiceUrls.messages(held.queue(), lastMessageId))
                    .newBuilder()
                    .header("X-ScaleSetMaxCapacity", Integer.toString(capacity))
                    .build(),
            polls,
            calls.exchanges().clock().instant().plus(pollCall));
    // a 400 in plain text is a refusal of the capacity, which a new session would not mend
    // (protocol 3.11)
    if (answer.is(404) || (answer.is(400) && !answer.isFromRouter())) {
      throw answer.sessionLost();
    }
    return answer.is(202) ? new PollResult.Nothing() : answer.message();
  }

  @Override
  public Set<Long> acquire(List<Long> requestIds) {
    if (requestIds.isEmpty()) {
      return Set.of();
    }
    var deadline = calls.exchanges().deadline();
    var path = Endpoint.ACQUIRE_JOBS.path(scaleSet);
    var answer =
        twice(
            Endpoint.ACQUIRE_JOBS,
            held -> request(Endpoint.ACQUIRE_JOBS, held, calls.url(path, deadline), requestIds),
            new CancelSignal(), // what was offered may be acquired after cancel(), as acknowledged
            deadline);
    if (answer.says(Fault.SESSION_EXPIRED)
        || answer.says(Fault.SESSION_UNKNOWN)
        || answer.says(Fault.SCALE_SET_NOT_FOUND)) {
      throw answer.sessionLost(); // any other refusal may be of the jobs
    }
    return answer.isWithoutSuchCall() ? Set.of() : Set.copyOf(answer.list(Long.class));
  }

  @Override
  public void acknowledge(long messageId) {
    var answer =
        twice(
            Endpoint.DELETE_MESSAGE,
            held ->
                request(
                    Endpoint.DELETE_MESSAGE, held, ServiceUrls.message(held.queue(), messageId)),
            new CancelSignal(), // what was applied may be acknowledged after cancel()
            calls.exchanges().deadline());
    if (!answer.is(404)) {
      var _ = answer.success();
    }
  }

  @Override
  public void cancel() {
    polls.cancel();
  }

  @Override
  public void close() {
    cancel();
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      delete(calls, scaleSet, id());
      ended = true;
    } catch (ServiceException e) {
      LOG.atWarn()
          .addKeyValue("session", id())
          .addKeyValue("error", e.getMessage())
          .log("message session not ended; the service forgets it after its lease");
    }
  }

  @Override
  public boolean isEnded() {
    return ended;
  }

  /** Asks, and after a 401 once more with a renewed token. */
  private Answer twice(
      Endpoint endpoint,
      Function<QueueAccess, Request> request,
      CancelSignal signal,
      Instant deadline) {
    var held = current();
    var first = send(endpoint, request.apply(held), signal, deadline);
    if (!first.is(401)) {
      return first;
    }
    var renewed = renewed(held, signal, first, deadline);
    var second = send(endpoint, request.apply(renewed), signal, deadline);
    if (second.is(401)) { // a fresh token is refused: a new session will bring another
      throw second.sessionLost();
    }
    return second;
  }

  private Answer send(Endpoint endpoint, Request request, CancelSignal signal, Instant deadline) {
    if (signal.isCancelled()) {
      throw Attempt.cancellation(request, "cancelled");
    }
    return calls.exchanges().send(endpoint, request, signal, deadline);
  }

  private Request request(Endpoint endpoint, QueueAccess held, HttpUrl url) {
    return request(endpoint, held, url, null);
  }

  private Request request(Endpoint endpoint, QueueAccess held, HttpUrl url, @Nullable Object body) {
    return calls.requests().of(endpoint, url, "Bearer " + held.token(), body);
  }

  /** Renewed once for all who were refused; another thread may have done it already. */
  private QueueAccess renewed(
      QueueAccess refused, CancelSignal signal, Answer refusal, Instant deadline) {
    var renewal = access.unless(held -> held != refused);
    try {
      signal.awaitEnd(renewal, Duration.between(calls.exchanges().clock().instant(), deadline));
      if (signal.isCancelled()) {
        throw new ServiceException(new ServiceError.Cancelled(refusal.details("", "cancelled")));
      }
      if (!renewal.isDone()) {
        var late = refusal.details("", "the token of the queue was not renewed in time");
        throw new ServiceException(new ServiceError.Unavailable(late, null));
      }
      return renewal.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServiceException(new ServiceError.Cancelled(refusal.details("", "interrupted")));
    } catch (ExecutionException e) {
      throw Renewed.rethrown(e.getCause());
    }
  }

  private QueueAccess current() {
    return Objects.requireNonNull(access.value(), "a session has its first access from the start");
  }
}

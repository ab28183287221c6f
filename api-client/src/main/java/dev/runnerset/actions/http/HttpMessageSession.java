package dev.runnerset.actions.http;

import dev.runnerset.actions.MessageSession;
import dev.runnerset.actions.PollResult;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.SessionId;
import dev.runnerset.actions.Statistics;
import dev.runnerset.actions.auth.Renewed;
import dev.runnerset.actions.http.SessionCalls.QueueAccess;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A session over HTTP (protocol 3.10, protocol 3.11). Thread-safe; a poll blocks nobody else. */
final class HttpMessageSession implements MessageSession {
  private static final Logger LOG = LoggerFactory.getLogger(HttpMessageSession.class);

  private final SessionCalls sessions;
  private final Exchanges exchanges;
  private final Requests requests;
  private final Renewed<QueueAccess> access;
  private final @Nullable Statistics statistics;
  private final Duration pollCall;
  private final CancelSignal polls = new CancelSignal();
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean ended;

  HttpMessageSession(
      SessionCalls sessions,
      QueueAccess first,
      @Nullable Statistics statistics,
      Duration pollCall) {
    this.sessions = sessions;
    this.exchanges = sessions.calls().exchanges();
    this.requests = sessions.calls().requests();
    this.access = new Renewed<>(first, () -> sessions.refresh(current().session()));
    this.statistics = statistics;
    this.pollCall = pollCall;
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
    var deadline = exchanges.clock().instant().plus(pollCall);
    var outcome =
        twice(
            Endpoint.GET_MESSAGE,
            held ->
                requests.poll(
                    ServiceUrls.messages(held.queue(), lastMessageId), held.token(), capacity),
            polls,
            deadline);
    return switch (outcome.answer().status()) {
      case 200 -> Messages.read(outcome);
      case 202 -> new PollResult.Nothing();
      case 404 -> throw outcome.failure().sessionLost();
      case 400 -> {
        // In plain text it is a refusal of the capacity (protocol 3.11), which a new session
        // would not mend.
        var failure = outcome.failure();
        throw outcome.answer().isFromRouter() ? failure.exception() : failure.sessionLost();
      }
      default -> throw outcome.failure().exception();
    };
  }

  @Override
  public void acknowledge(long messageId) {
    var outcome =
        twice(
            Endpoint.DELETE_MESSAGE,
            held ->
                requests.deleteMessage(ServiceUrls.message(held.queue(), messageId), held.token()),
            new CancelSignal(), // what was applied may be acknowledged after cancel()
            null);
    if (!outcome.is(404)) {
      outcome.expect(204);
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
      sessions.delete(id());
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
  private CallResult twice(
      Endpoint endpoint,
      Function<QueueAccess, Request> request,
      CancelSignal signal,
      @Nullable Instant deadline) {
    var held = current();
    var first = send(endpoint, request.apply(held), signal, deadline);
    if (!first.is(401)) {
      return first;
    }
    var second = send(endpoint, request.apply(renewed(held, signal, request)), signal, deadline);
    if (second.is(401)) { // a fresh token is refused: a new session will bring another
      throw second.failure().sessionLost();
    }
    return second;
  }

  private CallResult send(
      Endpoint endpoint, Request request, CancelSignal signal, @Nullable Instant deadline) {
    if (signal.isCancelled()) {
      throw Unanswered.cancelled(request, "cancelled");
    }
    var answer = exchanges.send(new Exchange(endpoint, request, signal, deadline));
    return new CallResult(answer, Redaction.token(request));
  }

  /** Renewed once for all who were refused; another thread may have done it already. */
  private QueueAccess renewed(
      QueueAccess refused, CancelSignal signal, Function<QueueAccess, Request> request) {
    var renewal = access.unless(held -> held != refused);
    try {
      signal.awaitEnd(renewal);
      if (signal.isCancelled()) {
        throw Unanswered.cancelled(request.apply(refused), "cancelled");
      }
      return renewal.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Unanswered.cancelled(request.apply(refused), "interrupted");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ServiceException failed) {
        throw new ServiceException(failed.error(), failed);
      }
      throw new IllegalStateException("renewal of the session broke", e.getCause());
    }
  }

  private QueueAccess current() {
    return Objects.requireNonNull(access.value(), "a session has its first access from the start");
  }
}

package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** Message sessions and their messages (protocol 3.10, protocol 3.11, protocol 7.4). */
final class SessionApi {
  static final String SPACE = "GitHub.Actions.Runtime.WebApi.";

  private final ServiceState state;
  private final AdminAccess access;
  private final JobFlow flow;
  private final ScaleSetApi sets;
  private final Tokens<Session> tokens;

  SessionApi(ServiceState state, AdminAccess access, JobFlow flow, ScaleSetApi sets) {
    this.state = state;
    this.access = access;
    this.flow = flow;
    this.sets = sets;
    this.tokens = new Tokens<>(state.ids);
  }

  void endTokens() {
    tokens.endAll();
  }

  Reply create(Request request) {
    var owner = Json.field(request.json(), "ownerName").asText();
    var id = request.segments().get(3);
    return access.with(
        request,
        (scope, now) -> {
          var found = access.set(scope, id);
          if (found.isEmpty()) {
            return AdminAccess.setNotFound(id);
          }
          var set = found.get();
          if (set.session != null && set.session.isLive(now)) {
            return state.flavour().sessionConflict(set.session);
          }
          if (set.session != null) {
            set.session.closed = true;
          }
          var session =
              new Session(state.ids.get(), owner, set, now, state.options.timings().sessionLease());
          set.session = session;
          set.capacity = null;
          return Reply.json(200, json(session, now));
        });
  }

  Reply refresh(Request request) {
    return withSession(
        request,
        (session, now) -> {
          session.contact(now);
          return Reply.json(200, json(session, now));
        });
  }

  Reply delete(Request request) {
    return withSession(
        request,
        (session, now) -> {
          session.set.endSession();
          return Reply.empty(204);
        });
  }

  private interface SessionBody {
    Reply reply(Session session, Instant now);
  }

  private Reply withSession(Request request, SessionBody body) {
    var setId = request.segments().get(3);
    var id = request.segments().get(5);
    return access.with(
        request,
        (scope, now) -> {
          var set = access.set(scope, setId);
          if (set.isEmpty()) {
            return AdminAccess.setNotFound(setId);
          }
          return Optional.ofNullable(set.get().session)
              .filter(session -> session.isLive(now) && same(session.id, id))
              .map(session -> body.reply(session, now))
              .orElseGet(() -> state.flavour().noSession(id));
        });
  }

  private static boolean same(UUID id, String text) {
    return id.toString().equalsIgnoreCase(text);
  }

  private ObjectNode json(Session session, Instant now) {
    var expires = now.plus(state.options.timings().queueToken());
    var odd = state.faults.plan().odd();
    var url = hits(odd.emptyQueueUrl()) ? "" : state.flavour().queueUrl(state.front(), session);
    var token = hits(odd.noQueueToken()) ? "" : tokens.issue(session, now, expires);
    var node =
        Json.object()
            .put("sessionId", session.id.toString())
            .put("ownerName", session.owner)
            .put("messageQueueUrl", url)
            .put("messageQueueAccessToken", token);
    node.set("runnerScaleSet", sets.json(session.set));
    if (hits(odd.noStatistics())) {
      node.putNull("statistics");
    } else {
      node.set("statistics", statistics(session.set));
    }
    return node;
  }

  private boolean hits(double share) {
    return state.faults.hits(share);
  }

  private ObjectNode statistics(ScaleSet set) {
    var now = state.statistics(set);
    set.queue.reported(now);
    return now.json();
  }

  /** Parks until there is a message, the poll time is over, or the client has gone. */
  Reply poll(Request request) {
    var began =
        state.enter(now -> {
          var session = live(request, now);
          session.ifPresent(s -> s.pollBegins(now));
          return session;
        });
    if (began.isEmpty()) {
      return unauthorised();
    }
    try {
      return Parking.until(
          request.gone(),
          state.options.timings().messagePoll(),
          () -> state.enter(now -> look(began.get(), request, now)));
    } finally {
      state.enter(now -> {
        began.get().pollEnds(now);
        return true;
      });
    }
  }

  /** The token was good when the poll began; only the session may end under it. */
  private Parking.Look look(Session session, Request request, Instant now) {
    if (!session.isLive(now)) {
      return new Parking.Look.Answer(unauthorised());
    }
    var set = session.set;
    var header = request.header("X-ScaleSetMaxCapacity");
    if (header.isPresent()) {
      var capacity = Numbers.parse(header.get());
      if (capacity.isEmpty() || capacity.get() < 0) {
        return new Parking.Look.Answer(Reply.text(400, "invalid X-ScaleSetMaxCapacity"));
      }
      set.capacity = capacity.get();
      flow.fill(set, now);
    }
    var cursor = request.parameter("lastMessageId").flatMap(Numbers::parseLong).orElse(0L);
    var message = set.queue.after(cursor);
    var stale =
        state.faults.plan().statistics() != FaultPlan.StatisticsFault.WITH_JOBS_ONLY
            && set.queue.isStale(state.statistics(set));
    var next = set.statisticsReported.plus(Timings.STATISTICS_PAUSE);
    if (message.isEmpty() && stale && !now.isBefore(next)) {
      set.statisticsReported = now;
      message = Optional.of(set.queue.statisticsOnly());
    }
    return message
        .<Parking.Look>map(m -> new Parking.Look.Answer(Reply.json(200, envelope(set, m))))
        .orElseGet(() -> {
          set.rearm();
          return new Parking.Look.Wait(
              set.wake, stale ? Duration.between(now, next) : Duration.ofDays(1));
        });
  }

  private ObjectNode envelope(ScaleSet set, MessageQueue.Message message) {
    var node =
        Json.object()
            .put("messageId", message.id())
            .put("messageType", "RunnerScaleSetJobMessages");
    var inner = Json.array().addAll(message.inner());
    var odd = state.faults.plan().odd();
    if (state.faults.hits(odd.oddElements(), message.id())) {
      switch ((int) (message.id() % 3)) {
        case 0 -> inner.addNull();
        case 1 ->
            inner
                .addObject()
                .put("messageType", "JobRebalanced")
                .put("runnerId", "x")
                .putObject("runnerRequestId");
        default -> inner.addObject().put("messageType", 7);
      }
    }
    var broken = state.faults.hits(odd.brokenBodies(), message.id());
    node.put("body", broken ? "{}" : inner.isEmpty() ? "" : Json.text(inner));
    var now = statistics(set);
    switch (state.faults.plan().statistics()) {
      case NONE, WITH_JOBS_ONLY -> node.set("statistics", now);
      case NULL -> node.putNull("statistics");
      case ZERO -> node.set("statistics", Statistics.ZERO.json());
      case INFLATED -> node.set("statistics", state.statistics(set).inflatedBy(50).json());
    }
    return node;
  }

  Reply deleteMessage(Request request) {
    var id = Numbers.parseLong(request.segments().getLast());
    return state.enter(now -> {
      var session = live(request, now);
      if (session.isEmpty()) {
        return unauthorised();
      }
      session.get().contact(now);
      id.ifPresent(session.get().set.queue::delete);
      return Reply.empty(204);
    });
  }

  /** The session of the queue token; a legacy URL names it too. */
  Optional<Session> live(Request request, Instant now) {
    return request
        .credential("Bearer")
        .flatMap(token -> tokens.find(token, now))
        .filter(session -> session.isLive(now))
        .filter(s -> request.parameter("sessionId").map(id -> same(s.id, id)).orElse(true));
  }

  static Reply unauthorised() {
    return Reply.rest(401, "The message queue token is not valid.");
  }
}

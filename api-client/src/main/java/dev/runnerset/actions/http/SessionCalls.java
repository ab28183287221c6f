package dev.runnerset.actions.http;

import dev.runnerset.actions.OpenSessionResult;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.SessionId;
import java.time.Duration;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/** The calls about the sessions of one scale set, with the admin token (protocol 3.10). */
final class SessionCalls {
  private static final String NO_SESSION = "00000000-0000-0000-0000-000000000000";

  private final AdminCalls calls;
  private final String path;

  /** What an open session gives: the queue and the right to read it. The token is never printed. */
  record QueueAccess(SessionId session, HttpUrl queue, String token) {
    @Override
    public String toString() {
      return "QueueAccess[" + session + ", hidden]";
    }
  }

  SessionCalls(AdminCalls calls, ScaleSetId scaleSet) {
    this.calls = calls;
    this.path = ServiceUrls.SETS + "/" + scaleSet + "/sessions";
  }

  AdminCalls calls() {
    return calls;
  }

  OpenSessionResult open(String owner, Duration pollCall) {
    // The service's other clients cannot leave the id out either.
    var body = Json.object().put("sessionId", NO_SESSION).put("ownerName", owner);
    var outcome = calls.post(Endpoint.OPEN_SESSION, path, body);
    if (outcome.is(200)) {
      return opened(outcome, pollCall);
    }
    var failure = outcome.failure();
    if (failure.fault() == Fault.SESSION_CONFLICT
        || (failure.status() == 409 && failure.isUntyped())) {
      return new OpenSessionResult.Conflict(failure.details().message());
    }
    throw failure.exception();
  }

  private OpenSessionResult opened(CallResult outcome, Duration pollCall) {
    var session = outcome.read(Wire.Session.class);
    var id = id(session);
    if (id == null) {
      throw outcome.malformed("a session without an id");
    }
    var access = access(id, session);
    if (access == null) {
      return new OpenSessionResult.Unusable(id, lacks(session));
    }
    var counts = Wire.statistics(session.statistics());
    return new OpenSessionResult.Opened(new HttpMessageSession(this, access, counts, pollCall));
  }

  /**
   * A new token, and whatever else the service changed. A session whose queue cannot be read any
   * more counts as lost: only a new one brings another queue.
   */
  QueueAccess refresh(SessionId session) {
    var outcome = calls.patch(Endpoint.REFRESH_SESSION, path + "/" + session, null);
    if (outcome.is(400) || outcome.is(404)) { // legacy and broker (protocol 0)
      throw outcome.failure().sessionLost();
    }
    var answer = Json.read(outcome.expect(200).answer().body(), Wire.Session.class).orElse(null);
    var access = answer == null ? null : access(session, answer);
    if (access == null) {
      throw new ServiceException(
          new ServiceError.SessionLost(
              outcome.answer().details("a renewal without the queue of the session or its token")));
    }
    return access;
  }

  void delete(SessionId session) {
    if (!session.value().matches("[A-Za-z0-9-]+")) {
      return; // the service never gave such an id, so there is nothing to end
    }
    var outcome = calls.delete(Endpoint.DELETE_SESSION, path + "/" + session);
    var gone = // a status alone says nothing of the session (protocol 2.5)
        outcome.says(Fault.SESSION_EXPIRED)
            || outcome.says(Fault.SCALE_SET_NOT_FOUND)
            || (outcome.is(404) && outcome.says(Fault.SESSION_UNKNOWN));
    if (!gone) {
      outcome.expect(204);
    }
  }

  private static @Nullable SessionId id(Wire.Session session) {
    var id = Wire.text(session.sessionId());
    return id.matches("[A-Za-z0-9-]+") && !id.equals(NO_SESSION) ? new SessionId(id) : null;
  }

  /** What it takes to poll, or null when the answer lacks it (seen live, protocol 3.10). */
  private static @Nullable QueueAccess access(SessionId id, Wire.Session session) {
    var queue = HttpUrl.parse(Wire.text(session.messageQueueUrl()));
    var token = Wire.text(session.messageQueueAccessToken());
    return queue == null || !AdminTokens.isPrintable(token)
        ? null
        : new QueueAccess(id, queue, token);
  }

  private static String lacks(Wire.Session session) {
    return HttpUrl.parse(Wire.text(session.messageQueueUrl())) == null
        ? "the URL of its queue"
        : "a token for its queue";
  }
}

package dev.runnerset.service.http;

import dev.runnerset.service.OpenSessionResult;
import dev.runnerset.service.ScaleSetId;
import dev.runnerset.service.SessionId;
import java.time.Duration;
import okhttp3.HttpUrl;

/** The calls about the sessions of one scale set, with the admin token (protocol 3.10). */
final class SessionCalls {
  private static final String NO_SESSION = "00000000-0000-0000-0000-000000000000";

  private final AdminCalls calls;
  private final String path;

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
      var opened = outcome.read(Wire.Session.class);
      var access = access(outcome, opened);
      if (opened.statistics() == null) {
        throw outcome.malformed("a session without statistics");
      }
      return new OpenSessionResult.Opened(
          new HttpMessageSession(this, access, opened.statistics().toStatistics(), pollCall));
    }
    var failure = outcome.failure();
    if (failure.fault() == Fault.SESSION_CONFLICT
        || (failure.status() == 409 && failure.isUntyped())) {
      return new OpenSessionResult.Conflict();
    }
    throw failure.exception();
  }

  /** A new token, and whatever else the service changed. */
  QueueAccess refresh(SessionId session) {
    var outcome = calls.patch(Endpoint.REFRESH_SESSION, path + "/" + session, null);
    if (outcome.is(400) || outcome.is(404)) { // legacy and broker (protocol section 10, 9)
      throw Failures.sessionLost(outcome.failure());
    }
    return access(outcome.expect(200), outcome.read(Wire.Session.class));
  }

  void delete(SessionId session) {
    if (!session.value().matches("[A-Za-z0-9-]+")) {
      return; // the service never gave such an id, so there is nothing to end
    }
    var outcome = calls.delete(Endpoint.DELETE_SESSION, path + "/" + session);
    if (!outcome.is(404) && outcome.failure().fault() != Fault.SESSION_EXPIRED) {
      outcome.expect(204);
    }
  }

  private static QueueAccess access(Outcome outcome, Wire.Session session) {
    var id = Wire.text(session.sessionId());
    if (!id.matches("[A-Za-z0-9-]+") || id.equals(NO_SESSION)) {
      throw outcome.malformed("a session without an id");
    }
    var queue = HttpUrl.parse(Wire.text(session.messageQueueUrl()));
    if (queue == null) { // seen live (protocol 3.10)
      throw outcome.malformed("a session without the URL of its queue");
    }
    var token = Wire.text(session.messageQueueAccessToken());
    if (!AdminTokens.isPrintable(token)) {
      throw outcome.malformed("a session without a token for its queue");
    }
    return new QueueAccess(new SessionId(id), queue, token);
  }
}

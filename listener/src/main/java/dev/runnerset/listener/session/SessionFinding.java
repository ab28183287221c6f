package dev.runnerset.listener.session;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.base.ShortText;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.crds.condition.ListenerReason;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.listener.config.ListenerSettings;
import dev.runnerset.listener.session.context.KubeRefusal;
import java.time.Duration;

/**
 * Why a session is not connected, for a condition.
 *
 * @param reason a stable word
 * @param key findings with one key count as equal; it leaves out request ids and the like
 * @param message for people: what happened, and what to change
 */
record SessionFinding(Reason reason, String key, String message) {
  SessionFinding {
    message = ShortText.of(message, StatusConditions.LONGEST_MESSAGE);
  }

  static SessionFinding of(Reason reason, String message) {
    return new SessionFinding(reason, reason.word() + message, message);
  }

  /** A failure of the listener itself. Its message may quote anything, so only the log has it. */
  static SessionFinding failed(Throwable failure) {
    return of(
        ListenerReason.LISTENER_FAILED,
        "the listener failed for this set (%s) and started again; see the log of the listener"
            .formatted(failure.getClass().getSimpleName()));
  }

  /** The API server forbids what the listener writes to the set. */
  static SessionFinding forbidden(KubeRefusal refusal) {
    var reason = ListenerReason.WRITES_FORBIDDEN;
    return new SessionFinding(
        reason,
        reason.word(),
        refusal.getMessage()
            + "; if a policy refuses it, change the policy; else kubectl describe"
            + " autoscalingrunnersets.runnerset.dev says what keeps the controller from making the"
            + " listener's role in the namespace of the set");
  }

  /** The API server refuses (422) what the listener writes, and no other holder is there. */
  static SessionFinding refused(KubeRefusal refusal) {
    var reason = ListenerReason.WRITES_FORBIDDEN;
    return new SessionFinding(
        reason,
        reason.word() + 422,
        refusal.getMessage()
            + "; look at the admission policies and webhooks for ephemeralrunnersets/status; tried"
            + " again, and the set is not listened for meanwhile");
  }

  /** The API server, or a webhook it asks, fails. */
  static SessionFinding unavailable(KubeRefusal refusal) {
    var reason = ListenerReason.UNAVAILABLE;
    return new SessionFinding(
        reason,
        reason.word(),
        refusal.getMessage()
            + "; tried again; if it stays, look at the API server and at the admission webhooks of"
            + " the object");
  }

  /** A loop hung, and another took its place. */
  static SessionFinding stuck() {
    return of(
        ListenerReason.LISTENER_FAILED,
        "the loop of the set made no progress for %d s and was replaced; see the log of the listener"
            .formatted(ListenerSettings.STUCK_AFTER.toSeconds()));
  }

  /** A poll got no answer. */
  static SessionFinding silent(Duration poll) {
    return of(
        ListenerReason.POLL_UNANSWERED,
        ("a poll got no answer in %d s; the service answers each poll within about 50 s, with or"
                + " without news: the connection may be dead, and another session is opened. Check"
                + " network and proxy if this stays")
            .formatted(poll.plus(ListenerSettings.POLL_MARGIN).toSeconds()));
  }

  /** What an error of the service means to the user of the set. */
  static SessionFinding of(ServiceError error) {
    return switch (error) {
      case ServiceError.Unauthorized e ->
          of(
              AccessReason.UNAUTHORIZED,
              e,
              "check that the token or the GitHub App key in the credentials secret is valid; see"
                  + " docs/start/credentials.md");
      case ServiceError.Forbidden e ->
          of(
              AccessReason.FORBIDDEN,
              e,
              "give the token or the GitHub App the permission to administer runners of the URL; see"
                  + " docs/start/credentials.md");
      case ServiceError.NotFound e ->
          of(
              AccessReason.NOT_FOUND,
              e,
              "check githubConfigUrl, and that the credentials can see it; the scale set may have"
                  + " been removed");
      case ServiceError.SessionLost e ->
          of(ListenerReason.SESSION_LOST, e, "another session is opened");
      case ServiceError.Conflict e -> of(AccessReason.CONFLICT, e, "tried again");
      case ServiceError.RateLimited e -> of(AccessReason.RATE_LIMITED, e, "tried again later");
      case ServiceError.NotSent e -> of(ListenerReason.UNAVAILABLE, e, "tried again later");
      case ServiceError.Refused e -> of(AccessReason.REFUSED, e, "tried again");
      case ServiceError.Unavailable e when e.obstacle() == ServiceError.Obstacle.HOST_NOT_ALLOWED ->
          of(AccessReason.HOST_NOT_ALLOWED, e, "nothing is sent there");
      case ServiceError.Unavailable e ->
          of(
              ListenerReason.UNAVAILABLE,
              e,
              "tried again; check network, proxy and certificates if it stays");
      case ServiceError.Malformed e ->
          of(
              AccessReason.MALFORMED_ANSWER,
              e,
              "check that githubConfigUrl and proxy lead to GitHub");
      case ServiceError.Cancelled e -> of(AccessReason.CANCELLED, e, "tried again");
    };
  }

  private static SessionFinding of(Reason reason, ServiceError error, String advice) {
    var d = error.details();
    var type = d.typeName().substring(d.typeName().lastIndexOf('.') + 1);
    var status = d.status() == 0 ? "no answer" : "status " + d.status();
    var words = d.request() + ": " + status + (type.isEmpty() ? "" : " " + type);
    var message = words + (d.message().isEmpty() ? "" : ": " + d.message()) + "; " + advice;
    return new SessionFinding(reason, reason.word() + d.status() + type, message);
  }
}

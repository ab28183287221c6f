package dev.runnerset.listener.session;

import dev.runnerset.actions.ScaleSet;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.base.ShortText;
import dev.runnerset.connection.AccessReasons;
import dev.runnerset.crds.ScaleSetIdentity;
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

  /** The id of the scale set is somebody else's now. */
  static SessionFinding notOurs(ScaleSet found, ScaleSetIdentity ours) {
    return of(
        ListenerReason.SCALE_SET_NOT_OURS,
        ("the id %s is that of the scale set '%s' now, and the set had %s: no session is opened. The"
                + " server was restored, or is another one; the controller looks for the scale set"
                + " of this set")
            .formatted(
                found.id(),
                found.name(),
                ours.name() == null ? "another one" : "'" + ours.name() + "'"));
  }

  /** A failure of the listener itself. Its message may quote anything, so only the log has it. */
  static SessionFinding failed() {
    return of(
        ListenerReason.LISTENER_FAILED,
        "the listener failed for this set and started again; see the log of the listener");
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

  /** What a refusal of a write to the set means, where no other holder is there. */
  static SessionFinding of(KubeRefusal refusal) {
    return switch (refusal.kind()) {
      case FORBIDDEN ->
          of(
              ListenerReason.WRITES_FORBIDDEN,
              "",
              refusal,
              "if a policy refuses it, change the policy; else kubectl describe"
                  + " autoscalingrunnersets.runnerset.dev says what keeps the controller from"
                  + " making the listener's role in the namespace of the set");
      case TEST_FAILED ->
          of(
              ListenerReason.WRITES_FORBIDDEN,
              "422",
              refusal,
              "look at the admission policies and webhooks for autoscalinglisteners/status and"
                  + " ephemeralrunnersets/status; tried again, and the set receives no jobs meanwhile");
      case GONE, STALE, UNAVAILABLE ->
          of(
              ListenerReason.UNAVAILABLE,
              "",
              refusal,
              "tried again; if it stays, look at the API server and at the admission webhooks of"
                  + " the object");
    };
  }

  /** A mark has no test that could fail: somebody else refuses it. */
  static SessionFinding markRefused(KubeRefusal refusal) {
    return of(
        ListenerReason.MARK_REFUSED,
        "",
        refusal,
        "look at the admission policies and webhooks for ephemeralrunners/status; tried again, and"
            + " no other message of the set is read meanwhile");
  }

  private static SessionFinding of(
      Reason reason, String status, KubeRefusal refusal, String advice) {
    return new SessionFinding(reason, reason.word() + status, refusal.getMessage() + "; " + advice);
  }

  /** What an error of the service means to the user of the set. */
  static SessionFinding of(ServiceError error) {
    var access = AccessReasons.of(error);
    boolean silent =
        error instanceof ServiceError.NotSent || error instanceof ServiceError.Unavailable;
    Reason reason =
        error instanceof ServiceError.SessionLost
            ? ListenerReason.SESSION_LOST
            : silent && access != AccessReason.HOST_NOT_ALLOWED
                ? ListenerReason.UNAVAILABLE
                : access;
    var details = error.details();
    return new SessionFinding(
        reason,
        reason.word() + details.status() + details.type(),
        details.words() + "; " + advice(error, access));
  }

  private static String advice(ServiceError error, AccessReason access) {
    return switch (error) {
      case ServiceError.Unauthorized _ ->
          "check that the token or the GitHub App key in the credentials secret is valid; see"
              + " docs/start/credentials.md";
      case ServiceError.Forbidden _ ->
          "give the token or the GitHub App the permission to administer runners of the URL; see"
              + " docs/start/credentials.md";
      case ServiceError.NotFound _ ->
          "check githubConfigUrl, and that the credentials can see it; the scale set may have been"
              + " removed";
      case ServiceError.SessionLost _ -> "another session is opened";
      case ServiceError.RateLimited _, ServiceError.NotSent _ -> "tried again later";
      case ServiceError.Unavailable _ ->
          access == AccessReason.HOST_NOT_ALLOWED
              ? "nothing is sent there"
              : "tried again; check network, proxy and certificates if it stays";
      case ServiceError.Malformed _ ->
          "check that githubConfigUrl and proxy lead to GitHub; if they do, see docs/operate/stuck.md";
      case ServiceError.Conflict _, ServiceError.Refused _, ServiceError.Cancelled _ ->
          "tried again";
    };
  }
}

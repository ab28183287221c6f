package dev.runnerset.listener.session;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.base.ShortText;

/**
 * Why a session is not connected, for a condition.
 *
 * @param reason a stable word
 * @param key two findings of one key are the same: request ids and the like do not make another
 * @param message for people: what happened, and what to change
 */
record Finding(String reason, String key, String message) {
  private static final int MAX_MESSAGE = 1000;

  Finding {
    message = ShortText.of(message, MAX_MESSAGE);
  }

  static Finding of(String reason, String message) {
    return new Finding(reason, reason + message, message);
  }

  /** A failure of the listener itself; its words may quote anything, and so stay in the log. */
  static Finding failed(Throwable failure) {
    return of(
        "ListenerFailed",
        "the listening for this set failed (%s) and was begun again; the log of the listener tells more"
            .formatted(failure.getClass().getSimpleName()));
  }

  /** What an error of the service means to whoever configures the set. */
  static Finding of(ServiceError error) {
    return switch (error) {
      case ServiceError.Unauthorized e ->
          of(
              "Unauthorized",
              e,
              "check that the token or the GitHub App key in the credentials secret is valid");
      case ServiceError.Forbidden e ->
          of(
              "Forbidden",
              e,
              "give the token or the GitHub App the permission to administer runners of the URL");
      case ServiceError.NotFound e ->
          of(
              "NotFound",
              e,
              "check githubConfigUrl, and that the credentials can see it; the scale set may have"
                  + " been removed");
      case ServiceError.SessionLost e -> of("SessionLost", e, "another session is opened");
      case ServiceError.Conflict e -> of("Conflict", e, "tried again");
      case ServiceError.RateLimited e -> of("RateLimited", e, "tried again later");
      case ServiceError.NotSent e -> of("Unavailable", e, "tried again later");
      case ServiceError.Refused e -> of("Refused", e, "tried again");
      case ServiceError.Unavailable e ->
          of("Unavailable", e, "tried again; check network, proxy and certificates if it stays");
      case ServiceError.Malformed e ->
          of("MalformedAnswer", e, "check that githubConfigUrl and proxy lead to GitHub");
      case ServiceError.Cancelled e -> of("Cancelled", e, "tried again");
    };
  }

  private static Finding of(String reason, ServiceError error, String advice) {
    var d = error.details();
    var type = d.typeName().substring(d.typeName().lastIndexOf('.') + 1);
    var status = d.status() == 0 ? "no answer" : "status " + d.status();
    var words = d.request() + ": " + status + (type.isEmpty() ? "" : " " + type);
    var message = words + (d.message().isEmpty() ? "" : ": " + d.message()) + "; " + advice;
    return new Finding(reason, reason + d.status() + type, message);
  }
}

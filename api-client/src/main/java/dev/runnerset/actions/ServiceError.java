package dev.runnerset.actions;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Why a call to the service failed, after the client's own retries. Classified by the exception
 * type in the body first and by status second (protocol 2.5). Nothing in it is secret.
 */
public sealed interface ServiceError {
  /** The request and the answer, for people. */
  Details details();

  /** How long the service, or this client for it, asks to wait; null if nobody says. */
  default @Nullable Duration retryAfter() {
    return null;
  }

  /** What to check or change, for people; empty if the caller has nothing to do but wait. */
  default String advice() {
    return switch (this) {
      case Unauthorized _ -> "check that the token, or the key of the app, is valid";
      case Forbidden _ -> "check what the credentials permit: they must administer runners";
      case NotFound _ -> "check the URL, and that the credentials can see it";
      case Unavailable(_, _, var obstacle) -> obstacle.advice;
      case Malformed _ -> "check that the URL and the proxy lead to the service";
      case SessionLost _ -> "open another session";
      case Conflict _, RateLimited _, Refused _, NotSent _, Cancelled _ -> "";
    };
  }

  /** 401: the credentials are wrong or have expired. */
  record Unauthorized(Details details) implements ServiceError {}

  /** 403: the credentials do not allow it. */
  record Forbidden(Details details) implements ServiceError {}

  /** 404: the URL's owner, or the thing asked for, does not exist or is hidden from us. */
  record NotFound(Details details) implements ServiceError {}

  /** The message session is no longer known: open another. */
  record SessionLost(Details details) implements ServiceError {}

  /** 409 without a case of its own. */
  record Conflict(Details details) implements ServiceError {}

  /**
   * The service asks to slow down: 429, or a 403 that says so. Nothing was carried out; until
   * {@code retryAfter} no call of the connection is sent, and each one ends with this.
   */
  record RateLimited(Details details, @Nullable Duration retryAfter) implements ServiceError {}

  /** Any other 4xx: the service understood and refused. */
  record Refused(Details details) implements ServiceError {}

  /**
   * 5xx, no answer, or a connection that failed; it may have been carried out.
   *
   * @param obstacle what stands in the way, where that is known
   */
  record Unavailable(Details details, @Nullable Duration retryAfter, Obstacle obstacle)
      implements ServiceError {
    /** Nobody knows what stands in the way. */
    public Unavailable(Details details, @Nullable Duration retryAfter) {
      this(details, retryAfter, Obstacle.UNKNOWN);
    }
  }

  /** What stands between us and the service. */
  enum Obstacle {
    /** Nobody has an address for the host of the URL. */
    HOST_UNKNOWN("check the host of the URL, and the name server"),
    /** The host, or what is before it, accepts no connection. */
    CONNECTION_REFUSED("check host and port of the URL, and firewalls"),
    /** The certificate of the service is not one that we trust. */
    CERTIFICATE_UNTRUSTED("check who signed the certificate, and trust its authority"),
    /** The time of the certificate, or of one that signed it, has ended or has not begun. */
    CERTIFICATE_EXPIRED("renew the certificate of the service, and check the clocks"),
    /** The certificate is of another host. */
    CERTIFICATE_OF_OTHER_HOST("check the host of the URL: the certificate names another one"),
    /** What listens at the port does not speak HTTP, or not with TLS as the URL says. */
    OTHER_PROTOCOL("check scheme and port of the URL"),
    /** The proxy is not reached, or does not let the call through. */
    PROXY("check host, port and credentials of the proxy"),
    /** The installation does not let this host be asked; the message names what to list. */
    HOST_NOT_ALLOWED(""),
    /** Anything else, as a service that answers 5xx or is silent. */
    UNKNOWN("try again; if it stays, check host and port of the URL, firewalls and the proxy");

    private final String advice;

    Obstacle(String advice) {
      this.advice = advice;
    }
  }

  /**
   * Not sent: the service does not answer, or too many calls wait for it, or this process may
   * change nothing now (WR8). Nothing was carried out; it may be tried again after {@code
   * retryAfter}.
   */
  record NotSent(Details details, Duration retryAfter) implements ServiceError {}

  /** An answer that is not of the protocol. */
  record Malformed(Details details) implements ServiceError {}

  /** The caller cancelled it. */
  record Cancelled(Details details) implements ServiceError {}

  /**
   * A failed exchange.
   *
   * @param request method and URL without query, as {@code POST https://…}
   * @param status 0 when there was no answer
   * @param typeName the service's exception type, or empty
   * @param message the service's words, or those of the failure; at most 200 characters of an
   *     answer
   */
  record Details(
      String request,
      int status,
      String typeName,
      String message,
      String activityId,
      String requestId) {
    /** Of a request without an answer. */
    public static Details unanswered(String request, String message) {
      return new Details(request, 0, "", message, "", "");
    }

    /** The exception's type without its package, or empty. */
    public String type() {
      return typeName.substring(typeName.lastIndexOf('.') + 1);
    }

    /** The sentence without the ids, which differ from call to call. */
    public String words() {
      return request
          + (status == 0 ? ": no answer" : ": status " + status)
          + (type().isEmpty() ? "" : " " + type())
          + (message.isEmpty() ? "" : ": " + message);
    }

    /** One line for a condition or a log. */
    public String sentence() {
      return words()
          + (activityId.isEmpty() ? "" : " (activity " + activityId + ")")
          + (requestId.isEmpty() ? "" : " (request " + requestId + ")");
    }
  }
}

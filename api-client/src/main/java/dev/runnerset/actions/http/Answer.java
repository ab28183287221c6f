package dev.runnerset.actions.http;

import static java.util.function.Predicate.not;

import dev.runnerset.actions.PollResult;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What came back, whatever its status. What an answer that is no success means is decided by the
 * exception type in its body first, by its status second (protocol 2.5). Never printed whole: the
 * body may hold a token.
 *
 * @param request method and URL without query
 * @param secret what the request was authorised with; taken out of all texts
 * @param body without a byte order mark; empty where {@code content} was read from it
 * @param content what a message or a list holds ({@link Contents}); null if it is not of that form,
 *     and for any other answer
 * @param retryAfter how long the service asks to wait, or null; {@link RetryAfter#of} reads it
 * @param etag by which the service knows this answer; null if it gave none
 */
record Answer(
    Endpoint endpoint,
    String request,
    String secret,
    int status,
    String contentType,
    String body,
    @Nullable Object content,
    String activityId,
    String requestId,
    @Nullable Duration retryAfter,
    @Nullable String etag) {
  private static final Pattern PLAIN_HTTP =
      Pattern.compile("(?i)plain http|http request to an https|https port");

  boolean is(int wanted) {
    return status == wanted;
  }

  /** An answer of a router or a proxy, which is not for a program. */
  boolean isFromRouter() {
    var type = contentType.toLowerCase(Locale.ROOT);
    return type.contains("text/plain") || type.contains("text/html");
  }

  /**
   * Whether the service does not know the call, as one that assigns jobs by itself does not know
   * those of protocol 3.12: a router answers, and no exception of the service.
   */
  boolean isWithoutSuchCall() {
    return status == 404 && isFromRouter();
  }

  /** Whether the service did nothing because there were too many requests. */
  boolean isRateLimit() {
    return status == 429 || (status == 403 && retryAfter != null);
  }

  /**
   * Whether the service itself says so, by the name of its exception: a status alone may be that of
   * a gateway before it, which knows nothing of the thing that was asked for.
   */
  boolean says(Fault fault) {
    return fault() == fault;
  }

  /**
   * Whether it is the fault that the call has an answer for. A conflict in an answer that names no
   * exception is about the name, or the session (protocol 2.4 c, d).
   */
  boolean isFault() {
    return endpoint.isAnsweredBy(fault())
        || (status == 409 && isUntyped() && endpoint.method.equals("POST"));
  }

  /** Whether the body says nothing of a type, so that the status alone speaks. */
  boolean isUntyped() {
    return problem().type().isEmpty();
  }

  private Fault fault() {
    return Fault.of(problem().type());
  }

  private ProblemText problem() {
    return ProblemText.of(this);
  }

  /** Itself if it is a success of the call; else throws the failure. */
  Answer success() {
    if (status != endpoint.success
        && !(endpoint == Endpoint.RUNNER_REGISTRATION && status / 100 == 2)) {
      throw failure();
    }
    return this;
  }

  /** Itself; empty if there is no such thing. */
  Optional<Answer> unlessGone() {
    return is(404) ? Optional.empty() : Optional.of(this);
  }

  /** The body of a success as JSON of that form. */
  <T extends Object> T read(Class<T> type) {
    return Json.read(success().body, type)
        .orElseThrow(
            () -> malformed("the answer to " + endpoint.label() + " is no JSON of the protocol"));
  }

  /** A success that was read as one thing of that form. */
  <T extends Object> T content(Class<T> type) {
    var found = success().content;
    if (found == null || !type.isInstance(found)) {
      throw malformed("the answer to " + endpoint.label() + " is no JSON of the protocol");
    }
    return type.cast(found);
  }

  /** The fields of a success. */
  Fields fields() {
    return Fields.parse(success().body)
        .orElseThrow(() -> malformed("the answer to " + endpoint.label() + " is no JSON"));
  }

  /** The message of a poll. */
  PollResult.Message message() {
    if (!(success().content instanceof PollResult.Message message)) {
      throw malformed("the answer to " + endpoint.label() + " is no JSON of the protocol");
    }
    if (message.messageId() <= 0) {
      throw malformed("a message without an id");
    }
    return message;
  }

  /** The elements of a list. */
  <T extends Object> List<T> list(Class<T> type) {
    return Optional.ofNullable(page(type).value()).orElse(List.of());
  }

  /** The count and the elements of a list. */
  <T extends Object> Wire.Page<T> page(Class<T> type) {
    if (!(success().content instanceof Wire.Page<?>(var count, var values))) {
      throw malformed("the answer to " + endpoint.label() + " is no list");
    }
    return new Wire.Page<>(
        count, values == null ? null : values.stream().<T>map(type::cast).toList());
  }

  /** The one element, or empty when the count is 0 (protocol 3.1, protocol 3.2, protocol 3.9). */
  <T extends Object> Optional<T> atMostOne(Class<T> type) {
    var page = page(type);
    if (page.count() == 0) {
      return Optional.empty();
    }
    return Optional.ofNullable(page.value())
        .filter(not(List::isEmpty))
        .map(List::getFirst)
        .filter(_ -> page.count() == 1)
        .or(() -> {
          throw malformed("the answer to " + endpoint.label() + " has a count of " + page.count());
        });
  }

  ServiceException failure() {
    return new ServiceException(error());
  }

  /** The failure of a call with a session that is gone. */
  ServiceException sessionLost() {
    return new ServiceException(new ServiceError.SessionLost(details()));
  }

  /** The failure of a call that got an answer outside the protocol; it does not quote the body. */
  ServiceException malformed(String message) {
    return new ServiceException(new ServiceError.Malformed(details("", message)));
  }

  ServiceError error() {
    var details = details();
    return switch (fault()) {
      case RUNNER_NOT_FOUND, SCALE_SET_NOT_FOUND -> new ServiceError.NotFound(details);
      case RUNNER_EXISTS, JOB_STILL_RUNNING, SCALE_SET_EXISTS, SESSION_CONFLICT ->
          new ServiceError.Conflict(details);
      case SESSION_EXPIRED -> new ServiceError.SessionLost(details);
      case SESSION_UNKNOWN, OTHER -> byStatus(details);
    };
  }

  private ServiceError byStatus(ServiceError.Details details) {
    return switch (status) {
      case 401 -> new ServiceError.Unauthorized(details);
      case 403, 429 ->
          isRateLimit()
              ? new ServiceError.RateLimited(details, retryAfter)
              : new ServiceError.Forbidden(details);
      case 404 -> new ServiceError.NotFound(details);
      case 407 -> // the proxy's own answer
          new ServiceError.Unavailable(details, null, ServiceError.Obstacle.PROXY);
      case 409 -> new ServiceError.Conflict(details);
      default -> {
        if (status >= 500) yield new ServiceError.Unavailable(details, retryAfter);
        if (isFromPortOfTls()) {
          var said = details("", "a server that expects https answers so to plain http");
          yield new ServiceError.Unavailable(said, null, ServiceError.Obstacle.OTHER_PROTOCOL);
        }
        yield status >= 400
            ? new ServiceError.Refused(details)
            : new ServiceError.Malformed(details);
      }
    };
  }

  /**
   * What web servers answer to plain http at a port of https. They say so in words of their own;
   * GitHub's API, which is asked first, answers no 400 without JSON.
   */
  private boolean isFromPortOfTls() {
    boolean isFirst =
        endpoint == Endpoint.REGISTRATION_TOKEN || endpoint == Endpoint.INSTALLATION_TOKEN;
    return status == 400
        && request.contains(" http://")
        && !problem().isOfService()
        && (isFirst || PLAIN_HTTP.matcher(body).find());
  }

  ServiceError.Details details() {
    var problem = problem();
    return details(problem.quotedType(), problem.message());
  }

  ServiceError.Details details(String type, String message) {
    return new ServiceError.Details(
        request,
        status,
        Redaction.text(type, secret),
        Redaction.text(message, secret),
        Redaction.text(activityId, secret),
        Redaction.text(requestId, secret));
  }

  @Override
  public String toString() {
    return request + ": status " + status;
  }
}

package dev.runnerset.actions.http;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceError.Conflict;
import dev.runnerset.actions.ServiceError.Details;
import dev.runnerset.actions.ServiceError.Forbidden;
import dev.runnerset.actions.ServiceError.Malformed;
import dev.runnerset.actions.ServiceError.NotFound;
import dev.runnerset.actions.ServiceError.Obstacle;
import dev.runnerset.actions.ServiceError.RateLimited;
import dev.runnerset.actions.ServiceError.Refused;
import dev.runnerset.actions.ServiceError.SessionLost;
import dev.runnerset.actions.ServiceError.Unauthorized;
import dev.runnerset.actions.ServiceError.Unavailable;
import dev.runnerset.actions.ServiceException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A refusal: what an answer that is not a success means. The exception type in its body decides
 * first, its status second (protocol 2.5).
 *
 * @param isUntyped whether the body said nothing of a type, so that the status alone speaks
 */
record Failure(
    Fault fault, int status, boolean isUntyped, Details details, @Nullable Duration retryAfter) {

  /**
   * Reads the answer.
   *
   * @param secret what the request was authorised with; taken out of all texts
   */
  static Failure of(Answer answer, String secret) {
    var problem = ProblemText.of(answer);
    var details =
        new Details(
            answer.request(),
            answer.status(),
            Redaction.text(problem.quotedType(), secret),
            Redaction.text(problem.message(), secret),
            Redaction.text(answer.activityId(), secret),
            Redaction.text(answer.requestId(), secret));
    return new Failure(
        Fault.of(problem.type()),
        answer.status(),
        problem.type().isEmpty(),
        details,
        answer.retryAfter());
  }

  ServiceError error() {
    return switch (fault) {
      case RUNNER_NOT_FOUND, SCALE_SET_NOT_FOUND -> new NotFound(details);
      case RUNNER_EXISTS, JOB_STILL_RUNNING, SCALE_SET_EXISTS, SESSION_CONFLICT ->
          new Conflict(details);
      case SESSION_EXPIRED -> new SessionLost(details);
      case SESSION_UNKNOWN, OTHER -> byStatus();
    };
  }

  ServiceException exception() {
    return new ServiceException(error());
  }

  /** The failure of a call with a session that is gone. */
  ServiceException sessionLost() {
    return new ServiceException(new SessionLost(details));
  }

  private ServiceError byStatus() {
    return switch (status) {
      case 401 -> new Unauthorized(details);
      case 403 ->
          retryAfter == null ? new Forbidden(details) : new RateLimited(details, retryAfter);
      case 404 -> new NotFound(details);
      case 407 -> new Unavailable(details, null, Obstacle.PROXY); // the proxy's own answer
      case 409 -> new Conflict(details);
      case 429 -> new RateLimited(details, retryAfter);
      default -> {
        if (status >= 500) yield new Unavailable(details, retryAfter);
        yield status >= 400 ? new Refused(details) : new Malformed(details);
      }
    };
  }
}

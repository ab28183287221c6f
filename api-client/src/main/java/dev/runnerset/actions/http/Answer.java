package dev.runnerset.actions.http;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What came back, whatever its status. Never printed whole: the body may hold a token.
 *
 * @param request method and URL without query
 * @param body without a byte order mark
 * @param retryAfter how long the service asks to wait, or null; {@link RetryAfter#of} reads it
 */
record Answer(
    String request,
    int status,
    String contentType,
    String body,
    String activityId,
    String requestId,
    @Nullable Duration retryAfter) {

  /** An answer of a router or a proxy, which is not for a program. */
  boolean isFromRouter() {
    var type = contentType.toLowerCase(Locale.ROOT);
    return type.contains("text/plain") || type.contains("text/html");
  }

  /** Whether the service did nothing because there were too many requests. */
  boolean isRateLimit() {
    return status == 429 || (status == 403 && retryAfter != null);
  }

  /** What is told of an answer that is not of the protocol; its body is not quoted. */
  ServiceError.Details details(String message) {
    return new ServiceError.Details(request, status, "", message, activityId, requestId);
  }

  /** The failure of a call whose answer is not of the protocol. */
  ServiceException malformed(String message) {
    return new ServiceException(new ServiceError.Malformed(details(message)));
  }

  @Override
  public String toString() {
    return request + ": status " + status;
  }
}

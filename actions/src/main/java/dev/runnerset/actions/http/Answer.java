package dev.runnerset.actions.http;

import dev.runnerset.actions.ServiceError;
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

  /** A success that is none of the protocol; the body is not quoted. */
  ServiceError.Details details(String message) {
    return new ServiceError.Details(request, status, "", message, activityId, requestId);
  }

  @Override
  public String toString() {
    return request + ": status " + status;
  }
}

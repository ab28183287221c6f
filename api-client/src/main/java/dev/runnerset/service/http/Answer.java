package dev.runnerset.service.http;

import dev.runnerset.service.ServiceError;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What came back, whatever its status. Never printed whole: the body may hold a token.
 *
 * @param request method and URL without query
 * @param body without a byte order mark
 * @param retryAfter null when absent or not understood
 */
record Answer(
    String request,
    int status,
    String contentType,
    String body,
    String activityId,
    String requestId,
    @Nullable Duration retryAfter) {

  /** A router's or a proxy's 404, which says nothing of the thing that was asked for. */
  boolean isFromRouter() {
    var type = contentType.toLowerCase(Locale.ROOT);
    return type.contains("text/plain") || type.contains("text/html");
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

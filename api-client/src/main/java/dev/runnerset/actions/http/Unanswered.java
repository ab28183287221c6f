package dev.runnerset.actions.http;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceError.Details;
import dev.runnerset.actions.ServiceException;
import java.net.ProtocolException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import okhttp3.Request;

/**
 * Exceptions of calls that brought no answer. Nothing secret is in them, so they have no foreign
 * cause.
 */
final class Unanswered {
  /** When a call that was not allowed may be tried again: leases are renewed about as often. */
  private static final Duration BARRED_FOR = Duration.ofSeconds(2);

  private Unanswered() {}

  /**
   * Without a whole answer.
   *
   * @param proxied whether the call goes by way of a proxy
   */
  static ServiceException failed(Attempt.Failed failed, Request request, boolean proxied) {
    var cause = failed.cause();
    var text =
        switch (cause) {
          case HostRules.RefusedException refused -> refused.getMessage();
          case ProtocolException _ -> "an answer that is not of HTTP"; // it quotes that answer
          default -> cause.getClass().getSimpleName() + ": " + cause.getMessage();
        };
    return new ServiceException(
        failed.cancelled()
            ? new ServiceError.Cancelled(details(request, "cancelled or interrupted"))
            : new ServiceError.Unavailable(
                details(request, Redaction.text(text, request)), null, failed.obstacle(proxied)));
  }

  /** Not sent: the host asked to wait. */
  static ServiceException held(Attempt.Held held, Request request, Instant now) {
    var until = now.plus(held.left()).truncatedTo(ChronoUnit.SECONDS);
    return new ServiceException(
        new ServiceError.RateLimited(
            details(
                request,
                "not sent: %s asked to send nothing before %s"
                    .formatted(request.url().host(), until)),
            held.left()));
  }

  /** Not sent: this process may change nothing now. */
  static ServiceException barred(Request request) {
    return new ServiceException(
        new ServiceError.NotSent(
            details(request, "not sent: this process may change nothing now"), BARRED_FOR));
  }

  static ServiceException cancelled(Request request, String message) {
    return new ServiceException(new ServiceError.Cancelled(details(request, message)));
  }

  private static Details details(Request request, String message) {
    return new Details(Redaction.request(request), 0, "", message, "", "");
  }
}

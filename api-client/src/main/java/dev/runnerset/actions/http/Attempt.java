package dev.runnerset.actions.http;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;

/** How one sending of a request ended. Nothing secret is in it, so it has no foreign cause. */
sealed interface Attempt {
  /** When a call that was not allowed may be tried again: leases are renewed about as often. */
  Duration BARRED_FOR = Duration.ofSeconds(2);

  /** With an answer, whatever its status. */
  record Answered(Answer answer) implements Attempt {}

  /**
   * Without a whole answer.
   *
   * @param sent whether the service may have seen the request
   * @param lasting whether a repetition cannot help, or the caller has cancelled the call
   */
  record Failed(ServiceError error, boolean sent, boolean lasting) implements Attempt {}

  /**
   * Not sent at all.
   *
   * @param left for how long the host asked this connection to send nothing; null if the owner of
   *     the connection may not change anything now
   */
  record KeptBack(ServiceError error, @Nullable Duration left) implements Attempt {}

  /** Whether the service may have done what was asked without saying so. */
  default boolean mayBeCarriedOut() {
    return switch (this) {
      case Answered(var answer) -> answer.status() >= 500;
      case Failed(var _, var sent, var _) -> sent;
      case KeptBack _ -> false;
    };
  }

  /** How long the host asks to wait, or null. */
  default @Nullable Duration askedToWait() {
    return switch (this) {
      case Answered(var answer) -> answer.retryAfter();
      case Failed _ -> null;
      case KeptBack(var _, var left) -> left;
    };
  }

  /**
   * Without a whole answer.
   *
   * @param proxied whether the call goes by way of a proxy
   */
  static Failed failed(IOException cause, Request request, boolean sent, boolean proxied) {
    var obstacle = FailureWords.obstacle(cause, proxied && !sent);
    var text = Redaction.text(FailureWords.of(cause, obstacle), request);
    boolean lasting =
        switch (obstacle) {
          case HOST_NOT_ALLOWED,
              CERTIFICATE_UNTRUSTED,
              CERTIFICATE_EXPIRED,
              CERTIFICATE_OF_OTHER_HOST ->
              true;
          default -> false;
        };
    return new Failed(
        new ServiceError.Unavailable(details(request, text), null, obstacle), sent, lasting);
  }

  /** The caller has cancelled the call. */
  static Failed cancelled(Request request, boolean sent) {
    return new Failed(cancellation(request, "cancelled or interrupted").error(), sent, true);
  }

  static ServiceException cancellation(Request request, String message) {
    return new ServiceException(new ServiceError.Cancelled(details(request, message)));
  }

  /** Not sent: the host asked to wait. */
  static KeptBack held(Request request, Instant until, Instant now) {
    var text =
        "not sent: %s asked to send nothing before %s"
            .formatted(request.url().host(), until.truncatedTo(ChronoUnit.SECONDS));
    return rateLimited(request, text, Duration.between(now, until));
  }

  /** Not sent yet: the call can wait, and GitHub's limits are left to others. */
  static KeptBack spared(Request request, Instant until, Instant now) {
    var text =
        "not sent before %s: the limit of the credential is left to calls that cannot wait"
            .formatted(until.truncatedTo(ChronoUnit.SECONDS));
    return rateLimited(request, text, Duration.between(now, until));
  }

  private static KeptBack rateLimited(Request request, String text, Duration left) {
    return new KeptBack(new ServiceError.RateLimited(details(request, text), left), left);
  }

  /** Not sent: this process may change nothing now. */
  static KeptBack barred(Request request) {
    var details = details(request, "not sent: this process may change nothing now");
    return new KeptBack(new ServiceError.NotSent(details, BARRED_FOR), null);
  }

  private static ServiceError.Details details(Request request, String message) {
    return ServiceError.Details.unanswered(Redaction.request(request), message);
  }
}

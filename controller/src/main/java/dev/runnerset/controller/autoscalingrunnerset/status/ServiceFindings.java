package dev.runnerset.controller.autoscalingrunnerset.status;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.condition.AccessReason;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a user must do about a failed call of the service. */
public final class ServiceFindings {
  private ServiceFindings() {}

  public static Finding of(ServiceError error, AutoScalingRunnerSet set) {
    var secret = "the secret " + set.getSpec().githubConfigSecret().name();
    return switch (error) {
      case ServiceError.Unauthorized(var details) ->
          finding(
              AccessReason.UNAUTHORIZED,
              "The service refuses the credentials: put valid ones into " + secret,
              details);
      case ServiceError.Forbidden(var details) ->
          finding(
              AccessReason.FORBIDDEN,
              "The credentials in "
                  + secret
                  + " lack a permission: grant the token or the App the"
                  + " administration of self-hosted runners for spec.githubConfigUrl",
              details);
      case ServiceError.NotFound(var details) ->
          finding(
              AccessReason.NOT_FOUND,
              "The owner does not exist, or is hidden from the credentials in "
                  + secret
                  + ": check spec.githubConfigUrl and the permissions of the credentials",
              details);
      case ServiceError.Conflict(var details) ->
          finding(
              AccessReason.CONFLICT,
              "The service reports a conflict; the controller tries again",
              details);
      case ServiceError.RateLimited(var details, _) ->
          finding(
              AccessReason.RATE_LIMITED,
              "The service limits the rate of calls; the controller tries again later",
              details);
      case ServiceError.Unavailable(var details, _) ->
          finding(
              AccessReason.SERVICE_UNAVAILABLE,
              "The service does not answer; the controller tries again",
              details);
      case ServiceError.NotSent(var details, _) ->
          finding(
              AccessReason.SERVICE_UNAVAILABLE,
              "The service does not answer in time; the controller tries again",
              details);
      case ServiceError.Refused(var details) ->
          finding(AccessReason.REFUSED, "The service refuses the request", details);
      case ServiceError.Malformed(var details) ->
          finding(
              AccessReason.MALFORMED_ANSWER,
              "The answer is not from the Actions service: check spec.githubConfigUrl and spec.proxy",
              details);
      case ServiceError.SessionLost(var details) ->
          finding(
              AccessReason.CONFLICT,
              "The service lost a session; the controller tries again",
              details);
      case ServiceError.Cancelled(var details) ->
          finding(
              AccessReason.CANCELLED,
              "The call was cancelled; the controller tries again",
              details);
    };
  }

  /** How long the service asks us to wait; null if it does not say. */
  public static @Nullable Duration retryAfter(ServiceError error) {
    return switch (error) {
      case ServiceError.RateLimited(_, var wait) -> wait;
      case ServiceError.Unavailable(_, var wait) -> wait;
      case ServiceError.NotSent(_, var wait) -> wait;
      case ServiceError.Unauthorized _,
          ServiceError.Forbidden _,
          ServiceError.NotFound _,
          ServiceError.Conflict _,
          ServiceError.Refused _,
          ServiceError.Malformed _,
          ServiceError.SessionLost _,
          ServiceError.Cancelled _ ->
          null;
    };
  }

  /** Whether only other credentials or another URL can help, so that waiting does not. */
  public static boolean isLockedOut(ServiceError error) {
    return error instanceof ServiceError.Unauthorized
        || error instanceof ServiceError.Forbidden
        || error instanceof ServiceError.NotFound;
  }

  private static Finding finding(AccessReason reason, String advice, ServiceError.Details details) {
    return new Finding(reason, advice + ". " + details.sentence());
  }
}

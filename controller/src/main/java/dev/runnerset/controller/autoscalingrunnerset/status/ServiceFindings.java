package dev.runnerset.controller.autoscalingrunnerset.status;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.connection.AccessReasons;
import dev.runnerset.crds.AutoScalingRunnerSet;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a user must do about a failed call of the service. */
public final class ServiceFindings {
  private ServiceFindings() {}

  /** What happened and what to change; the reason is that of {@link AccessReasons}. */
  public static Finding of(ServiceError error, AutoScalingRunnerSet set) {
    var secret = "the secret " + set.getSpec().githubConfigSecret().name();
    var words =
        switch (error) {
          case ServiceError.Unauthorized _ ->
              "The service refuses the credentials: put valid ones into " + secret;
          case ServiceError.Forbidden _ ->
              "The credentials in "
                  + secret
                  + " lack a permission: grant the token or the App the"
                  + " administration of self-hosted runners for spec.githubConfigUrl";
          case ServiceError.NotFound _ ->
              "The owner does not exist, or is hidden from the credentials in "
                  + secret
                  + ": check spec.githubConfigUrl and the permissions of the credentials";
          case ServiceError.Conflict _ ->
              "The service reports a conflict; the controller tries again";
          case ServiceError.RateLimited _ ->
              "The service limits the rate of calls; the controller tries again later";
          case ServiceError.Unavailable _ ->
              "The service does not answer; the controller tries again";
          case ServiceError.NotSent _ ->
              "The service does not answer in time; the controller tries again";
          case ServiceError.Refused _ -> "The service refuses the request";
          case ServiceError.Malformed _ ->
              "The answer is not from the Actions service: check spec.githubConfigUrl and"
                  + " spec.proxy";
          case ServiceError.SessionLost _ ->
              "The service lost a session; the controller tries again";
          case ServiceError.Cancelled _ -> "The call was cancelled; the controller tries again";
        };
    return new Finding(AccessReasons.of(error), words + ". " + error.details().sentence());
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
}

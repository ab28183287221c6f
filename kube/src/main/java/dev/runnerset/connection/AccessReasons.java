package dev.runnerset.connection;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.crds.condition.AccessReason;

/** The reasons that conditions give for errors of the service. */
public final class AccessReasons {
  private AccessReasons() {}

  /** The reason for an error. */
  public static AccessReason of(ServiceError error) {
    return switch (error) {
      case ServiceError.Unauthorized _ -> AccessReason.UNAUTHORIZED;
      case ServiceError.Forbidden _ -> AccessReason.FORBIDDEN;
      case ServiceError.NotFound _ -> AccessReason.NOT_FOUND;
      case ServiceError.Conflict _, ServiceError.SessionLost _ -> AccessReason.CONFLICT;
      case ServiceError.RateLimited _ -> AccessReason.RATE_LIMITED;
      case ServiceError.Refused _ -> AccessReason.REFUSED;
      case ServiceError.Unavailable(_, _, var obstacle) -> of(obstacle);
      case ServiceError.NotSent _ -> AccessReason.SERVICE_UNAVAILABLE;
      case ServiceError.Malformed _ -> AccessReason.MALFORMED_ANSWER;
      case ServiceError.Cancelled _ -> AccessReason.CANCELLED;
    };
  }

  private static AccessReason of(ServiceError.Obstacle obstacle) {
    return switch (obstacle) {
      case HOST_UNKNOWN -> AccessReason.HOST_NOT_FOUND;
      case CONNECTION_REFUSED -> AccessReason.CONNECTION_REFUSED;
      case CERTIFICATE_UNTRUSTED, CERTIFICATE_EXPIRED, CERTIFICATE_OF_OTHER_HOST ->
          AccessReason.CERTIFICATE_NOT_TRUSTED;
      case HOST_NOT_ALLOWED -> AccessReason.HOST_NOT_ALLOWED;
      case PROXY -> AccessReason.PROXY_FAILED;
      case OTHER_PROTOCOL, UNKNOWN -> AccessReason.SERVICE_UNAVAILABLE;
    };
  }
}

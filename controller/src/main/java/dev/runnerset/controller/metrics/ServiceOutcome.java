package dev.runnerset.controller.metrics;

import dev.runnerset.actions.ServiceError;

/** How calls of the Actions service end: the values of the label {@code outcome}. */
public enum ServiceOutcome implements Word {
  OK,
  /** A runner was not removed, since it has a job: no error. */
  BUSY,
  UNAUTHORIZED,
  FORBIDDEN,
  NOT_FOUND,
  CONFLICT,
  RATE_LIMITED,
  REFUSED,
  UNAVAILABLE,
  /** Nothing was sent. */
  NOT_SENT,
  MALFORMED,
  SESSION_LOST,
  CANCELLED;

  /** The outcome of a call that failed. */
  public static ServiceOutcome of(ServiceError error) {
    return switch (error) {
      case ServiceError.Unauthorized _ -> UNAUTHORIZED;
      case ServiceError.Forbidden _ -> FORBIDDEN;
      case ServiceError.NotFound _ -> NOT_FOUND;
      case ServiceError.SessionLost _ -> SESSION_LOST;
      case ServiceError.Conflict _ -> CONFLICT;
      case ServiceError.RateLimited _ -> RATE_LIMITED;
      case ServiceError.Refused _ -> REFUSED;
      case ServiceError.Unavailable _ -> UNAVAILABLE;
      case ServiceError.NotSent _ -> NOT_SENT;
      case ServiceError.Malformed _ -> MALFORMED;
      case ServiceError.Cancelled _ -> CANCELLED;
    };
  }
}

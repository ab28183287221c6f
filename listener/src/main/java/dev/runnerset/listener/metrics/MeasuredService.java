package dev.runnerset.listener.metrics;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.InterceptedService;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.listener.metrics.ListenerMeter.ServiceCall;
import dev.runnerset.listener.metrics.ListenerMeter.ServiceOutcome;
import dev.runnerset.listener.metrics.ListenerMeters.SeriesOfSet;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;

/** A connection to the service, and its sessions, of which each request is measured. */
public final class MeasuredService {
  private static final Map<String, ServiceCall> CALLS =
      Map.of(
          "openSession", ServiceCall.OPEN_SESSION,
          "deleteSession", ServiceCall.DELETE_SESSION,
          "scaleSet", ServiceCall.READ_SCALE_SET,
          "poll", ServiceCall.POLL,
          "acknowledge", ServiceCall.ACKNOWLEDGE);

  private MeasuredService() {}

  /** The same service, which tells the series of each request. */
  public static ActionsService of(
      ActionsService service, SeriesOfSet series, LongSupplier nanoTime) {
    return InterceptedService.of(
        service,
        (method, _, call) -> {
          var began = nanoTime.getAsLong();
          var outcome = ServiceOutcome.FAILED;
          try {
            var answer = call.get();
            outcome = ServiceOutcome.OK;
            return answer;
          } catch (ServiceException e) {
            outcome = outcome(e.error());
            throw e;
          } finally {
            var measured = CALLS.get(method);
            if (measured != null) {
              series.asked(measured, outcome, Duration.ofNanos(nanoTime.getAsLong() - began));
            }
          }
        });
  }

  private static ServiceOutcome outcome(ServiceError error) {
    return switch (error) {
      case ServiceError.Unauthorized _ -> ServiceOutcome.UNAUTHORIZED;
      case ServiceError.Forbidden _ -> ServiceOutcome.FORBIDDEN;
      case ServiceError.NotFound _ -> ServiceOutcome.NOT_FOUND;
      case ServiceError.SessionLost _ -> ServiceOutcome.SESSION_LOST;
      case ServiceError.Conflict _ -> ServiceOutcome.CONFLICT;
      case ServiceError.RateLimited _ -> ServiceOutcome.RATE_LIMITED;
      case ServiceError.Refused _ -> ServiceOutcome.REFUSED;
      case ServiceError.Unavailable _ -> ServiceOutcome.UNAVAILABLE;
      case ServiceError.NotSent _ -> ServiceOutcome.NOT_SENT;
      case ServiceError.Malformed _ -> ServiceOutcome.MALFORMED;
      case ServiceError.Cancelled _ -> ServiceOutcome.CANCELLED;
    };
  }
}

package dev.runnerset.listener.metrics;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.MessageSession;
import dev.runnerset.actions.OpenSessionResult;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.listener.metrics.ListenerMeter.ServiceCall;
import dev.runnerset.listener.metrics.ListenerMeter.ServiceOutcome;
import dev.runnerset.listener.metrics.ListenerMeters.SeriesOfSet;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A connection to the service, and its sessions, of which each request is measured. */
public final class MeasuredService {
  private static final Map<String, ServiceCall> CALL_OF_SERVICE =
      Map.of(
          "openSession", ServiceCall.OPEN_SESSION,
          "deleteSession", ServiceCall.DELETE_SESSION,
          "scaleSet", ServiceCall.READ_SCALE_SET);
  private static final Map<String, ServiceCall> CALL_OF_SESSION =
      Map.of("poll", ServiceCall.POLL, "acknowledge", ServiceCall.ACKNOWLEDGE);

  private final SeriesOfSet series;
  private final LongSupplier nanoTime;

  private MeasuredService(SeriesOfSet series, LongSupplier nanoTime) {
    this.series = series;
    this.nanoTime = nanoTime;
  }

  /** The same service, which tells the series of each request. */
  public static ActionsService of(
      ActionsService service, SeriesOfSet series, LongSupplier nanoTime) {
    var measured = new MeasuredService(series, nanoTime);
    return measured.proxy(ActionsService.class, service, CALL_OF_SERVICE);
  }

  private <T> T proxy(Class<T> type, T target, Map<String, ServiceCall> calls) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                called(calls.get(method.getName()), target, method, arguments)));
  }

  private @Nullable Object called(
      @Nullable ServiceCall call, Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    var began = nanoTime.getAsLong();
    try {
      var answer = method.invoke(target, arguments);
      ended(call, ServiceOutcome.OK, began);
      return answer instanceof OpenSessionResult.Opened(var session)
          ? new OpenSessionResult.Opened(proxy(MessageSession.class, session, CALL_OF_SESSION))
          : answer;
    } catch (InvocationTargetException e) {
      var cause = e.getCause();
      ended(call, outcome(cause), began);
      throw cause;
    }
  }

  private void ended(@Nullable ServiceCall call, ServiceOutcome outcome, long began) {
    if (call != null) {
      series.asked(call, outcome, Duration.ofNanos(nanoTime.getAsLong() - began));
    }
  }

  private static ServiceOutcome outcome(@Nullable Throwable failure) {
    return failure instanceof ServiceException service
        ? outcome(service.error())
        : ServiceOutcome.FAILED;
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

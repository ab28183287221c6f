package dev.runnerset.listener.metrics;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.InterceptedService;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.base.BriefThread;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;

/** A connection to the service, and its sessions, of which each request is measured. */
public final class MeasuredService {
  /** The values of the label {@code call}, by the method that makes the call. */
  private static final Map<String, String> CALLS =
      Map.of(
          "openSession", "open_session",
          "deleteSession", "delete_session",
          "scaleSet", "read_scale_set",
          "poll", "poll",
          "acquire", "acquire_jobs",
          "acquirableJobs", "list_offers",
          "acknowledge", "acknowledge");

  private MeasuredService() {}

  /** The same service, which tells the series of each request. */
  public static ActionsService of(
      ActionsService service, ListenerSeries series, LongSupplier nanoTime) {
    return InterceptedService.of(
        service,
        (method, _, call) -> {
          var began = nanoTime.getAsLong();
          var outcome = "failed";
          try {
            // a poll has its own thread already
            var answer = method.equals("poll") ? call.get() : BriefThread.call(call);
            outcome = "ok";
            return answer;
          } catch (ServiceException e) {
            outcome = outcome(e.error().getClass());
            throw e;
          } finally {
            var measured = CALLS.get(method);
            if (measured != null) {
              series.asked(measured, outcome, Duration.ofNanos(nanoTime.getAsLong() - began));
            }
          }
        });
  }

  /** The kind of the error: {@code not_found} for {@link ServiceError.NotFound}. */
  static String outcome(Class<?> error) {
    return error.getSimpleName().replaceAll("(?<=.)(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
  }
}

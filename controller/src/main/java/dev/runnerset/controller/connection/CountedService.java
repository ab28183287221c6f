package dev.runnerset.controller.connection;

import dev.runnerset.actions.InterceptedService;
import dev.runnerset.actions.RemoveRunnerResult;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.base.metrics.Meters;
import dev.runnerset.connection.ServiceConnector;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.ServiceOperation;
import dev.runnerset.controller.metrics.ServiceOutcome;

/** Connections whose calls are counted by operation and outcome. */
public final class CountedService {
  private CountedService() {}

  /** Shows each operation with 0, since this process leads and calls the service. */
  public static void begin(Meters meters) {
    for (var operation : ServiceOperation.values()) {
      meters.ofProcess().show(Meter.SERVICE_REQUESTS, operation.word(), ServiceOutcome.OK.word());
    }
  }

  /** Counts the calls of all connections. */
  public static ServiceConnector counted(ServiceConnector connector, Meters meters) {
    var series = meters.ofProcess();
    return settings ->
        InterceptedService.of(
            connector.connect(settings),
            (method, _, call) -> {
              try {
                var answer = call.get();
                boolean busy = answer instanceof RemoveRunnerResult.JobStillRunning;
                count(series, method, busy ? ServiceOutcome.BUSY : ServiceOutcome.OK);
                return answer;
              } catch (ServiceException e) {
                count(series, method, ServiceOutcome.of(e.error()));
                throw e;
              }
            });
  }

  private static void count(Meters.Series series, String method, ServiceOutcome outcome) {
    ServiceOperation.of(method)
        .ifPresent(
            operation -> series.count(Meter.SERVICE_REQUESTS, operation.word(), outcome.word()));
  }
}

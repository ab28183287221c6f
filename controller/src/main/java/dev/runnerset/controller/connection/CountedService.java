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

  /** Counts the calls of all connections; every series that can be is there from the start. */
  public static ServiceConnector counted(ServiceConnector connector, Meters meters) {
    var series = meters.ofProcess();
    for (var operation : ServiceOperation.values()) {
      series.show(Meter.SERVICE_REQUESTS, operation.word(), ServiceOutcome.OK.word());
    }
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

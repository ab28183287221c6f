package dev.runnerset.controller.connection;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.CreateScaleSetResult;
import dev.runnerset.actions.JitConfigResult;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.OpenSessionResult;
import dev.runnerset.actions.RemoveRunnerResult;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.RunnerList;
import dev.runnerset.actions.RunnerReference;
import dev.runnerset.actions.ScaleSet;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.SessionId;
import dev.runnerset.connection.ServiceConnector;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.metrics.ServiceOperation;
import dev.runnerset.controller.metrics.ServiceOutcome;
import java.util.Optional;
import java.util.function.Supplier;

/** A connection whose calls are counted by operation and outcome. */
public final class CountedService implements ActionsService {
  private final ActionsService service;
  private final Meters meters;

  private CountedService(ActionsService service, Meters meters) {
    this.service = service;
    this.meters = meters;
  }

  /** Counts the calls of all connections; every series that can be is there from the start. */
  public static ServiceConnector counted(ServiceConnector connector, Meters meters) {
    for (var operation : ServiceOperation.values()) {
      meters.registerOfProcess(Meter.SERVICE_REQUESTS, operation.word(), ServiceOutcome.OK.word());
    }
    return settings -> new CountedService(connector.connect(settings), meters);
  }

  @Override
  public Optional<RunnerGroupId> runnerGroup(String name) {
    return counted(ServiceOperation.RUNNER_GROUP, () -> service.runnerGroup(name));
  }

  @Override
  public Optional<ScaleSet> findScaleSet(RunnerGroupId group, String name) {
    return counted(ServiceOperation.FIND_SCALE_SET, () -> service.findScaleSet(group, name));
  }

  @Override
  public Optional<ScaleSet> scaleSet(ScaleSetId id) {
    return counted(ServiceOperation.SCALE_SET, () -> service.scaleSet(id));
  }

  @Override
  public CreateScaleSetResult createScaleSet(NewScaleSet wanted) {
    return counted(ServiceOperation.CREATE_SCALE_SET, () -> service.createScaleSet(wanted));
  }

  @Override
  public ScaleSet updateScaleSet(ScaleSetId id, NewScaleSet wanted) {
    return counted(ServiceOperation.UPDATE_SCALE_SET, () -> service.updateScaleSet(id, wanted));
  }

  @Override
  public void deleteScaleSet(ScaleSetId id) {
    var _ =
        counted(
            ServiceOperation.DELETE_SCALE_SET,
            () -> {
              service.deleteScaleSet(id);
              return id;
            });
  }

  @Override
  public JitConfigResult generateJitConfig(ScaleSetId id, String runnerName, String workFolder) {
    return counted(
        ServiceOperation.JIT_CONFIG, () -> service.generateJitConfig(id, runnerName, workFolder));
  }

  @Override
  public Optional<RunnerReference> runner(RunnerId id) {
    return counted(ServiceOperation.RUNNER, () -> service.runner(id));
  }

  @Override
  public Optional<RunnerReference> runnerNamed(String name) {
    return counted(ServiceOperation.RUNNER_NAMED, () -> service.runnerNamed(name));
  }

  @Override
  public RunnerList runners(int mostPages) {
    return counted(ServiceOperation.LIST_RUNNERS, () -> service.runners(mostPages));
  }

  @Override
  public RemoveRunnerResult removeRunner(RunnerId id) {
    var result = service.removeRunner(id);
    count(
        ServiceOperation.REMOVE_RUNNER,
        switch (result) {
          case RemoveRunnerResult.Removed(), RemoveRunnerResult.NotFound() -> ServiceOutcome.OK;
          case RemoveRunnerResult.JobStillRunning() -> ServiceOutcome.BUSY;
          case RemoveRunnerResult.Failed(var error) -> ServiceOutcome.of(error);
        });
    return result;
  }

  @Override
  public OpenSessionResult openSession(ScaleSetId id, String owner) {
    return counted(ServiceOperation.OPEN_SESSION, () -> service.openSession(id, owner));
  }

  @Override
  public void deleteSession(ScaleSetId id, SessionId session) {
    var _ =
        counted(
            ServiceOperation.DELETE_SESSION,
            () -> {
              service.deleteSession(id, session);
              return id;
            });
  }

  @Override
  public void close() {
    service.close();
  }

  private <T> T counted(ServiceOperation operation, Supplier<T> call) {
    try {
      var result = call.get();
      count(operation, ServiceOutcome.OK);
      return result;
    } catch (ServiceException e) {
      count(operation, ServiceOutcome.of(e.error()));
      throw e;
    }
  }

  private void count(ServiceOperation operation, ServiceOutcome outcome) {
    meters.countOfProcess(Meter.SERVICE_REQUESTS, operation.word(), outcome.word());
  }
}

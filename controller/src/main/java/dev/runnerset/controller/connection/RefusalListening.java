package dev.runnerset.controller.connection;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.CreateScaleSetResult;
import dev.runnerset.actions.JitConfigResult;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.OpenSessionResult;
import dev.runnerset.actions.RemoveRunnerResult;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.RunnerReference;
import dev.runnerset.actions.ScaleSet;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.SessionId;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A connection that tells when the service calls its credentials wrong (401, 403), and whether it
 * lets them register and remove runners.
 */
final class RefusalListening implements ActionsService {
  private final ActionsService service;
  private final Heard heard;

  /** Who is told. */
  interface Heard {
    /** Some call was refused. */
    void refused();

    /** The registration or the removal of a runner was refused. */
    void runnerRefused(ServiceError error);

    /** The registration or the removal of a runner was let through. */
    void runnerAllowed();
  }

  RefusalListening(ActionsService service, Heard heard) {
    this.service = service;
    this.heard = heard;
  }

  @Override
  public Optional<RunnerGroupId> runnerGroup(String name) {
    return heard(() -> service.runnerGroup(name));
  }

  @Override
  public Optional<ScaleSet> findScaleSet(RunnerGroupId group, String name) {
    return heard(() -> service.findScaleSet(group, name));
  }

  @Override
  public Optional<ScaleSet> scaleSet(ScaleSetId id) {
    return heard(() -> service.scaleSet(id));
  }

  @Override
  public CreateScaleSetResult createScaleSet(NewScaleSet wanted) {
    return heard(() -> service.createScaleSet(wanted));
  }

  @Override
  public ScaleSet updateScaleSet(ScaleSetId id, NewScaleSet wanted) {
    return heard(() -> service.updateScaleSet(id, wanted));
  }

  @Override
  public void deleteScaleSet(ScaleSetId id) {
    heard(() -> {
      service.deleteScaleSet(id);
      return id;
    });
  }

  @Override
  public JitConfigResult generateJitConfig(ScaleSetId id, String runnerName, String workFolder) {
    try {
      var result = heard(() -> service.generateJitConfig(id, runnerName, workFolder));
      heard.runnerAllowed();
      return result;
    } catch (ServiceException e) {
      hearOfRunner(e.error());
      throw e;
    }
  }

  @Override
  public Optional<RunnerReference> runner(RunnerId id) {
    return heard(() -> service.runner(id));
  }

  @Override
  public Optional<RunnerReference> runnerNamed(String name) {
    return heard(() -> service.runnerNamed(name));
  }

  @Override
  public RemoveRunnerResult removeRunner(RunnerId id) {
    var result = service.removeRunner(id);
    if (result instanceof RemoveRunnerResult.Failed(var error)) {
      hear(error);
      hearOfRunner(error);
    } else {
      heard.runnerAllowed();
    }
    return result;
  }

  @Override
  public OpenSessionResult openSession(ScaleSetId id, String owner) {
    return heard(() -> service.openSession(id, owner));
  }

  @Override
  public void deleteSession(ScaleSetId id, SessionId session) {
    heard(() -> {
      service.deleteSession(id, session);
      return id;
    });
  }

  @Override
  public void close() {
    service.close();
  }

  private <T> T heard(Supplier<T> call) {
    try {
      return call.get();
    } catch (ServiceException e) {
      hear(e.error());
      throw e;
    }
  }

  private void hear(ServiceError error) {
    if (isRefusal(error)) {
      heard.refused();
    }
  }

  private void hearOfRunner(ServiceError error) {
    if (isRefusal(error)) {
      heard.runnerRefused(error);
    }
  }

  private static boolean isRefusal(ServiceError error) {
    return error instanceof ServiceError.Unauthorized || error instanceof ServiceError.Forbidden;
  }
}

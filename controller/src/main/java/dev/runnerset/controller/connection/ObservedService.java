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
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.SessionId;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection that tells an observer when the service refuses the credentials (401, 403), and
 * whether it registers and removes runners. While it registers none, few calls are sent. Each call
 * has its turn.
 */
final class ObservedService implements ActionsService {
  /** Removals name no scale set. */
  private static final ScaleSetId ANY = new ScaleSetId(0);

  private final ActionsService service;
  private final Observer observer;

  /** Hears of refusals, on the thread of the call; must not block. */
  interface Observer {
    /** The call, when it has its turn; {@link ServiceError.NotSent} if it has none. */
    <T> T inTurn(Supplier<T> call);

    /** The service refused a call. */
    void refused();

    /** The service did not register a runner with that scale set; 0 where it removed none. */
    void runnerRefused(ScaleSetId id, ServiceError error);

    /** The service registered a runner, or would have; 0 where it removed one. */
    void runnerAllowed(ScaleSetId id);

    /** Why a registration is not sent now, and when it may be; null if it is sent. */
    @Nullable ServiceException heldBack(ScaleSetId id);
  }

  ObservedService(ActionsService service, Observer observer) {
    this.service = service;
    this.observer = observer;
  }

  @Override
  public Optional<RunnerGroupId> runnerGroup(String name) {
    return observed(() -> service.runnerGroup(name));
  }

  @Override
  public Optional<ScaleSet> findScaleSet(RunnerGroupId group, String name) {
    return observed(() -> service.findScaleSet(group, name));
  }

  @Override
  public Optional<ScaleSet> scaleSet(ScaleSetId id) {
    return observed(() -> service.scaleSet(id));
  }

  @Override
  public CreateScaleSetResult createScaleSet(NewScaleSet wanted) {
    return observed(() -> service.createScaleSet(wanted));
  }

  @Override
  public ScaleSet updateScaleSet(ScaleSetId id, NewScaleSet wanted) {
    return observed(() -> service.updateScaleSet(id, wanted));
  }

  @Override
  public void deleteScaleSet(ScaleSetId id) {
    observed(() -> {
      service.deleteScaleSet(id);
      return id;
    });
  }

  @Override
  public JitConfigResult generateJitConfig(ScaleSetId id, String runnerName, String workFolder) {
    var heldBack = observer.heldBack(id);
    if (heldBack != null) {
      throw heldBack;
    }
    try {
      var result = observed(() -> service.generateJitConfig(id, runnerName, workFolder));
      observer.runnerAllowed(id);
      return result;
    } catch (ServiceException e) {
      tellOfRunner(id, e.error());
      throw e;
    }
  }

  @Override
  public Optional<RunnerReference> runner(RunnerId id) {
    return observed(() -> service.runner(id));
  }

  @Override
  public Optional<RunnerReference> runnerNamed(String name) {
    return observed(() -> service.runnerNamed(name));
  }

  /** Another right than the service's own calls need: a refusal here is no refusal there. */
  @Override
  public RunnerList runners(int mostPages) {
    return observer.inTurn(() -> service.runners(mostPages));
  }

  @Override
  public RemoveRunnerResult removeRunner(RunnerId id) {
    var result = removed(id);
    if (result instanceof RemoveRunnerResult.Failed(var error)) {
      tell(error);
      tellOfRunner(ANY, error);
    } else {
      observer.runnerAllowed(ANY);
    }
    return result;
  }

  private RemoveRunnerResult removed(RunnerId id) {
    try {
      return observer.inTurn(() -> {
        var result = service.removeRunner(id);
        if (result instanceof RemoveRunnerResult.Failed(var error)) {
          throw new ServiceException(error);
        }
        return result;
      });
    } catch (ServiceException e) {
      return new RemoveRunnerResult.Failed(e.error());
    }
  }

  @Override
  public OpenSessionResult openSession(ScaleSetId id, String owner) {
    return observed(() -> service.openSession(id, owner));
  }

  @Override
  public void deleteSession(ScaleSetId id, SessionId session) {
    observed(() -> {
      service.deleteSession(id, session);
      return id;
    });
  }

  @Override
  public void close() {
    service.close();
  }

  private <T> T observed(Supplier<T> call) {
    try {
      return observer.inTurn(call);
    } catch (ServiceException e) {
      tell(e.error());
      throw e;
    }
  }

  private void tell(ServiceError error) {
    if (isRefusal(error)) {
      observer.refused();
    }
  }

  private void tellOfRunner(ScaleSetId id, ServiceError error) {
    boolean ofOurs = error instanceof ServiceError.Cancelled;
    boolean ofThisRunner = error instanceof ServiceError.Conflict;
    if (!ofOurs && !ofThisRunner) {
      observer.runnerRefused(id, error);
    }
  }

  private static boolean isRefusal(ServiceError error) {
    return error instanceof ServiceError.Unauthorized || error instanceof ServiceError.Forbidden;
  }
}

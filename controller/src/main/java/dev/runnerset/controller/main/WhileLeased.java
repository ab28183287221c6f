package dev.runnerset.controller.main;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.RemoveRunnerResult;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.controller.connection.ServiceConnector;
import dev.runnerset.kube.LeaseGuard;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Connections to the service that end with the lease, as the writes to the API server do: a leader
 * that was paused removes no runner after it wakes, for another one may count on that runner.
 */
final class WhileLeased {
  private WhileLeased() {}

  /** Of the leader's lease. */
  static LeaseGuard guard(ControllerSettings settings, Clock clock) {
    return new LeaseGuard(
        settings.controllerNamespace(),
        ControllerSettings.LEASE,
        settings.identity(),
        settings.lease().lasts(),
        clock,
        System::nanoTime);
  }

  /** The same connections, each of which asks the guard before each call. */
  static ServiceConnector connector(ServiceConnector connector, LeaseGuard guard) {
    return settings -> {
      var service = connector.connect(settings);
      return (ActionsService)
          Proxy.newProxyInstance(
              WhileLeased.class.getClassLoader(),
              new Class<?>[] {ActionsService.class},
              (_, method, arguments) -> call(service, guard, method, arguments));
    };
  }

  private static @Nullable Object call(
      ActionsService service, LeaseGuard guard, Method method, Object @Nullable [] arguments)
      throws Throwable {
    var talks = method.getDeclaringClass() == ActionsService.class;
    if (talks && !method.getName().equals("close") && !guard.holds()) {
      var details =
          new ServiceError.Details(
              method.getName(), 0, "", "not sent, because the lease has run out", "", "");
      var error = new ServiceError.Cancelled(details);
      if (method.getReturnType() == RemoveRunnerResult.class) {
        return new RemoveRunnerResult.Failed(error);
      }
      throw new ServiceException(error);
    }
    try {
      return method.invoke(service, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}

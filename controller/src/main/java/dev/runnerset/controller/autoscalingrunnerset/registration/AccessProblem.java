package dev.runnerset.controller.autoscalingrunnerset.registration;

import dev.runnerset.actions.ServiceException;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.autoscalingrunnerset.status.ServiceFindings;
import dev.runnerset.crds.AutoScalingRunnerSet;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Why the service cannot be asked, or did not do what it was asked for.
 *
 * @param lockedOut whether only other credentials can help
 * @param retryAfter how long the service asks to wait; null if it does not
 */
public record AccessProblem(Finding finding, boolean lockedOut, @Nullable Duration retryAfter) {
  /** The problem of a set without a connection. */
  static AccessProblem of(InvalidConnectionException failure) {
    return new AccessProblem(
        new Finding(failure.reason(), String.valueOf(failure.getMessage())), true, null);
  }

  /** The problem of a call. */
  static AccessProblem of(ServiceException failure, AutoScalingRunnerSet set) {
    var error = failure.error();
    return new AccessProblem(
        ServiceFindings.of(error, set), ServiceFindings.isLockedOut(error), error.retryAfter());
  }
}

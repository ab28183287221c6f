package dev.runnerset.listener.session;

import dev.runnerset.actions.ActionsService;

/** Makes connections to the Actions service. */
@FunctionalInterface
public interface ServiceConnector {
  /**
   * A connection; nothing is sent yet.
   *
   * @throws IllegalArgumentException with a sentence for the user, when it cannot be made
   */
  ActionsService connect(ServiceAccess access);
}

package dev.runnerset.controller.connection;

import dev.runnerset.actions.ActionsService;

/** Makes a connection to the Actions service; sends nothing before its first use. */
@FunctionalInterface
public interface ServiceConnector {
  /**
   * A connection with these settings; the caller closes it.
   *
   * @throws IllegalArgumentException with a sentence for the user, without secrets
   */
  ActionsService connect(ConnectionSettings settings);
}

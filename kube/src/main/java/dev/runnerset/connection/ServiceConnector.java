package dev.runnerset.connection;

import dev.runnerset.actions.ActionsService;

/** Makes connections to the Actions service. */
@FunctionalInterface
public interface ServiceConnector {
  /**
   * A connection with these settings, to be closed by the caller. Sends nothing before its first
   * call.
   *
   * @throws InvalidConnectionException when it cannot be made
   */
  ActionsService connect(ConnectionSettings settings);
}

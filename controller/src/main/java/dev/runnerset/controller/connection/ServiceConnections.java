package dev.runnerset.controller.connection;

import dev.runnerset.service.ActionsService;

/** Connections to the Actions service, one for each URL and secret; shared by all reconcilers. */
public interface ServiceConnections {
  /**
   * The connection for a set or a runner. Reads the credentials secret when there is none yet, and
   * again when the service called the credentials wrong or the last reading is five minutes old.
   * Blocks for that reading.
   *
   * @throws InvalidConnectionException when URL, secret, proxy or certificate are unusable; its
   *     reason and message are fit for a condition
   */
  ActionsService to(ConnectionKey key);
}

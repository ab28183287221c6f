package dev.runnerset.actions.http;

import dev.runnerset.actions.ActionsService;

/** Makes connections to the Actions service that share nothing; see {@link SharedConnections}. */
public final class HttpActionsServices {
  private HttpActionsServices() {}

  /**
   * A connection; nothing is sent before its first call.
   *
   * @throws IllegalArgumentException if the settings cannot be right, with a sentence for the user
   *     and nothing secret
   */
  public static ActionsService connect(ServiceSettings settings) {
    return new SharedConnections().connect(settings);
  }
}

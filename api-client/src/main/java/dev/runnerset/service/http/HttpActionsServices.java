package dev.runnerset.service.http;

import dev.runnerset.service.ActionsService;
import dev.runnerset.service.auth.AdminConnections;

/** Makes connections to the Actions service. */
public final class HttpActionsServices {
  private HttpActionsServices() {}

  /**
   * A connection; nothing is sent before its first call.
   *
   * @throws IllegalArgumentException if the settings cannot be right, with a sentence for the user
   *     and nothing secret
   */
  public static ActionsService connect(ServiceSettings settings) {
    return connect(settings, CallListener.NONE);
  }

  /** The same, with every attempt of every call told to a listener. */
  public static ActionsService connect(ServiceSettings settings, CallListener listener) {
    return connect(settings, listener, Waiter.REAL);
  }

  static ActionsService connect(ServiceSettings settings, CallListener listener, Waiter waiter) {
    var exchanges = new Exchanges(settings, listener, waiter);
    var requests = new Requests(settings.userAgent());
    var api = new HttpRegistrationApi(settings.url(), exchanges, requests);
    var connections = new AdminConnections(api, settings.credentials(), settings.clock());
    return new HttpActionsService(
        new AdminCalls(
            connections, new Admission(settings.limits(), settings.clock()), exchanges, requests),
        settings.userAgent(),
        settings.timeouts().pollCall());
  }
}

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
    var clients = HttpClients.of(HttpClients.Kind.of(settings));
    var exchanges = new Exchanges(settings, clients, listener, waiter);
    return new HttpActionsService(
        calls(settings, exchanges),
        settings.userAgent(),
        settings.timeouts().pollCall(),
        clients::close);
  }

  /** Calls with a registration and limits of their own. */
  static AdminCalls calls(ServiceSettings settings, Exchanges exchanges) {
    var requests = new Requests(settings.userAgent());
    var api = new HttpRegistrationApi(settings.url(), exchanges, requests);
    var connections = new AdminConnections(api, settings.credentials(), settings.clock());
    var admission = new Admission(settings.limits(), settings.clock());
    return new AdminCalls(connections, admission, exchanges, requests);
  }
}
